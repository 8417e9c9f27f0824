// The pimbb-cim-front/1 document of a layer, and the pimbb-cim-network-front/1 document.
#include "answers/front_json.hpp"
#include "cim/io/formats.hpp"
#include "cim/io/mapping_json.hpp"
#include "cim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/cim/io.hpp"

namespace pimbb::cim {
namespace {

using files::Json;

Json axes_json(const std::vector<Goal>& axes) {
  Json json = Json::array();
  for (const Goal axis : axes) json.push_back(std::string(name(axis)));
  return json;
}

Json costs_json(const std::vector<Goal>& axes, const std::vector<Rational>& costs) {
  Json json = Json::object();
  for (std::size_t k = 0; k < axes.size(); ++k) {
    json[std::string(name(axes[k]))] = costs[k].to_double();
    if (k == 0) json["exact"] = Json::object();
    json["exact"][std::string(name(axes[k]))] = costs[k].to_string();
  }
  return json;
}

Json points_json(const Architecture& architecture, const Front& front) {
  Json points = Json::array();
  for (const FrontPoint& point : front.points) {
    Json json = costs_json(front.axes, point.costs);
    json["mapping"] = io::mapping_json(architecture, point.mapping);
    json["metrics"] = io::metrics_json(architecture, point.metrics);
    points.push_back(std::move(json));
  }
  return points;
}

Json boxes_json(const std::vector<Goal>& axes, const std::vector<FrontBox>& open) {
  std::vector<std::string> names;
  for (const Goal axis : axes) names.emplace_back(name(axis));
  return answers::open_json(names, open);
}

/// What a layer's front and a network's have in common, but for points and boxes.
template <class AnyFront>
void add_claim(Json& json, const Question& question, const AnyFront& front) {
  io::add_question(json, question);
  json["status"] = std::string(name(front.status));
  json["axes"] = axes_json(front.axes);
  files::add_list(json, "at_most", question.caps, [](const GoalCap& cap) -> Json {
    return {{"name", std::string(name(cap.goal))}, {"most", cap.most.to_string()}};
  });
  if (!front.reason.empty()) json["reason"] = front.reason;
  json["found"] = front.found;
  json["within"] = front.within ? Json(front.within->to_string()) : Json(nullptr);
  json["covered"] = front.covered.to_string();
}

template <class AnyFront>
Json stats_json(const AnyFront& front, bool timeless) {
  Json json = io::stats_json(front, front.seconds, front.threads, timeless);
  json["solves"] = front.solves;
  return json;
}

Json layer_json(const Architecture& architecture, const LayerFront& layer) {
  Json json = Json::object();
  json["layer"] = layer.workload.name;
  json["repetitions"] = layer.repetitions;
  json["weight"] = layer.workload.weight.to_string();
  json["status"] = std::string(name(layer.front.status));
  json["points"] = points_json(architecture, layer.front);
  json["open"] = boxes_json(layer.front.axes, layer.front.open);
  json["workload"] = layers::workload_json(layer.workload);
  return json;
}

}  // namespace

std::string front_json(const Architecture& architecture, const Workload& layer,
                       const Question& question, const RunLimits& limits, const Front& front) {
  Json json = Json::object();
  json["format"] = std::string(io::kFrontFormat);
  json["layer"] = layer.name;
  add_claim(json, question, front);
  json["points"] = points_json(architecture, front);
  json["open"] = boxes_json(front.axes, front.open);
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(layer);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = stats_json(front, limits.timeless);
  return files::to_text(json);
}

std::string network_front_json(const Architecture& architecture, const Network& network,
                               const Question& question, const RunLimits& limits,
                               const NetworkFront& front) {
  Json json = Json::object();
  json["format"] = std::string(io::kNetworkFrontFormat);
  json["network"] = network.name;
  add_claim(json, question, front);
  json["points"] = Json::array();
  for (const NetworkFrontPoint& point : front.points) {
    json["points"].push_back(costs_json(front.axes, point.costs));
    json["points"].back()["chosen"] = point.chosen;
  }
  json["open"] = boxes_json(front.axes, front.open);
  json["layers"] = Json::array();
  for (const LayerFront& layer : front.layers) {
    json["layers"].push_back(layer_json(architecture, layer));
  }
  io::add_warnings(json, architecture);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = stats_json(front, limits.timeless);
  return files::to_text(json);
}

}  // namespace pimbb::cim
