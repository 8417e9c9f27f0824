// The pimbb-front/1 document of a layer, and the pimbb-network-front/1 document.
#include "answers/front_json.hpp"
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim {
namespace {

files::Json axes_json(const std::vector<Goal>& axes) {
  files::Json json = files::Json::array();
  for (const Goal axis : axes) json.push_back(name(axis));
  return json;
}

io::Figures costs_json(const std::vector<Goal>& axes, const std::vector<Rational>& costs) {
  io::Figures figures;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    figures.add(std::string(name(axes[k])), costs[k]);
  }
  return figures;
}

/// What is asked for but for the axes: model, limits, constraints.
void add_question(files::Json& json, const Architecture& architecture, const Question& question) {
  json["row_model"] = name(question.row_model);
  if (!question.caps.empty()) {
    files::Json caps = files::Json::array();
    for (const GoalCap& cap : question.caps) {
      caps.push_back({{"name", name(cap.goal)}, {"most", cap.most.to_string()}});
    }
    json["at_most"] = std::move(caps);
  }
  if (question.constraints.any()) {
    json["constraints"] = io::constraints_json(architecture, question.constraints);
  }
}

files::Json point_json(const Architecture& architecture, const Workload& layer, const Front& front,
                       const FrontPoint& point) {
  io::Figures figures = costs_json(front.axes, point.costs);
  files::Json json = std::move(figures.numbers);
  json["exact"] = std::move(figures.exact);
  json["mapping"] = io::mapping_json(architecture, point.mapping);
  json["metrics"] = io::metrics_json(architecture, layer, point.mapping, point.metrics);
  return json;
}

files::Json points_json(const Architecture& architecture, const Workload& layer,
                        const Front& front) {
  files::Json points = files::Json::array();
  for (const FrontPoint& point : front.points) {
    points.push_back(point_json(architecture, layer, front, point));
  }
  return points;
}

files::Json boxes_json(const std::vector<Goal>& axes, const std::vector<FrontBox>& open) {
  std::vector<std::string> names;
  for (const Goal axis : axes) names.emplace_back(name(axis));
  return answers::open_json(names, open);
}

/// What a layer's front and a network's have in common, but for points and boxes.
template <class AnyFront>
void add_claim(files::Json& json, const Architecture& architecture, const Question& question,
               const AnyFront& front) {
  json["method"] = name(question.method);
  json["status"] = name(front.status);
  json["axes"] = axes_json(front.axes);
  add_question(json, architecture, question);
  if (!front.reason.empty()) json["reason"] = front.reason;
  json["found"] = front.found;
  json["within"] = front.within ? files::Json(front.within->to_string()) : nullptr;
  json["covered"] = front.covered.to_string();
}

files::Json layer_json(const Architecture& architecture, const LayerFront& layer) {
  files::Json json = files::Json::object();
  json["layer"] = layer.workload.name;
  json["repetitions"] = layer.repetitions;
  json["weight"] = layer.workload.weight.to_string();
  json["status"] = name(layer.front.status);
  json["points"] = points_json(architecture, layer.workload, layer.front);
  json["open"] = boxes_json(layer.front.axes, layer.front.open);
  json["workload"] = layers::workload_json(layer.workload);
  return json;
}

}  // namespace

std::string front_json(const Architecture& architecture, const Workload& layer,
                       const Question& question, const RunLimits& limits, const Front& front) {
  files::Json json = files::Json::object();
  json["format"] = io::kFrontFormat;
  json["layer"] = layer.name;
  add_claim(json, architecture, question, front);
  json["points"] = points_json(architecture, layer, front);
  json["open"] = boxes_json(front.axes, front.open);
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(layer);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(front, front.seconds, front.threads, limits.timeless);
  return files::to_text(json);
}

std::string network_front_json(const Architecture& architecture, const Network& network,
                               const Question& question, const RunLimits& limits,
                               const NetworkFront& front) {
  files::Json json = files::Json::object();
  json["format"] = io::kNetworkFrontFormat;
  json["network"] = network.name;
  add_claim(json, architecture, question, front);
  json["points"] = files::Json::array();
  for (const NetworkFrontPoint& point : front.points) {
    io::Figures figures = costs_json(front.axes, point.costs);
    files::Json& added = json["points"].emplace_back(std::move(figures.numbers));
    added["exact"] = std::move(figures.exact);
    added["chosen"] = point.chosen;
  }
  json["open"] = boxes_json(front.axes, front.open);
  json["layers"] = files::Json::array();
  for (const LayerFront& layer : front.layers) {
    json["layers"].push_back(layer_json(architecture, layer));
  }
  io::add_warnings(json, architecture);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(front, front.seconds, front.threads, limits.timeless);
  return files::to_text(json);
}

}  // namespace pimbb::dram_pim
