// The pimbb-front/1 document of a layer.
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim {
namespace {

files::Json axes_json(const Front& front) {
  files::Json axes = files::Json::array();
  for (const Goal axis : front.axes) axes.push_back(name(axis));
  return axes;
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
  io::Figures figures;
  for (std::size_t k = 0; k < front.axes.size(); ++k) {
    figures.add(std::string(name(front.axes[k])), point.costs[k]);
  }
  files::Json json = std::move(figures.numbers);
  json["exact"] = std::move(figures.exact);
  json["mapping"] = io::mapping_json(architecture, point.mapping);
  json["metrics"] = io::metrics_json(architecture, layer, point.mapping, point.metrics);
  return json;
}

files::Json box_json(const Front& front, const FrontBox& box) {
  files::Json json = {{"from", files::Json::object()}, {"below", files::Json::object()}};
  for (std::size_t k = 0; k < front.axes.size(); ++k) {
    const std::string axis(name(front.axes[k]));
    json["from"][axis] = box.from[k].to_string();
    json["below"][axis] = nullptr;
    if (box.below[k]) json["below"][axis] = box.below[k]->to_string();
  }
  return json;
}

}  // namespace

std::string front_json(const Architecture& architecture, const Workload& layer,
                       const Question& question, const RunLimits& limits, const Front& front) {
  files::Json json = files::Json::object();
  json["format"] = io::kFrontFormat;
  json["layer"] = layer.name;
  json["method"] = name(question.method);
  json["status"] = name(front.status);
  json["axes"] = axes_json(front);
  add_question(json, architecture, question);
  if (!front.reason.empty()) json["reason"] = front.reason;
  json["found"] = front.found;
  json["within"] = front.within ? files::Json(front.within->to_string()) : nullptr;
  json["covered"] = front.covered.to_string();
  json["points"] = files::Json::array();
  for (const FrontPoint& point : front.points) {
    json["points"].push_back(point_json(architecture, layer, front, point));
  }
  json["open"] = files::Json::array();
  for (const FrontBox& box : front.open) json["open"].push_back(box_json(front, box));
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(layer);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(front, front.seconds, front.threads, limits.timeless);
  return files::to_text(json);
}

}  // namespace pimbb::dram_pim
