// The pimbb-crossbar-front/1 document: points, each with its mapping, and what is open.
#include "answers/front_json.hpp"
#include "crossbar/io/answer_json.hpp"
#include "crossbar/io/architecture_json.hpp"
#include "crossbar/io/formats.hpp"
#include "pimbb/crossbar/io.hpp"

namespace pimbb::crossbar {
namespace {

files::Json front_point_json(const Architecture& architecture, const Partition& partition,
                             const std::vector<std::string>& axes, const FrontPoint& point) {
  files::Json json = files::Json::object();
  for (std::size_t k = 0; k < axes.size(); ++k) {
    json[axes[k]] = point.costs[k].to_double();
    if (k == 0) json["exact"] = files::Json::object();
    json["exact"][axes[k]] = point.costs[k].to_string();
  }
  io::add_mapping(json, architecture, partition, point.mapping, point.metrics);
  return json;
}

files::Json front_stats_json(const Front& front, bool timeless) {
  files::Json json = {{"starts", front.starts}, {"steps", front.steps},   {"nodes", front.nodes},
                      {"leaves", front.leaves}, {"solves", front.solves}, {"memory", front.memory}};
  if (timeless) return json;
  json["threads"] = front.threads;
  json["seconds"] = front.seconds;
  return json;
}

}  // namespace

std::string front_json(const Architecture& architecture, const Partition& partition,
                       const RunLimits& limits, const Front& front) {
  std::vector<std::string> axes;
  for (const Goal axis : front.axes) axes.emplace_back(name(axis));
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kFrontFormat);
  json["network"] = partition.graph.name;
  json["accelerator"] = architecture.name;
  json["status"] = std::string(name(front.status));
  json["axes"] = axes;
  if (!front.reason.empty()) json["reason"] = front.reason;
  json["found"] = front.found;
  json["within"] = front.within ? files::Json(front.within->to_string()) : files::Json(nullptr);
  json["covered"] = front.covered.to_string();
  json["points"] = files::Json::array();
  for (const FrontPoint& point : front.points) {
    json["points"].push_back(front_point_json(architecture, partition, axes, point));
  }
  json["open"] = answers::open_json(axes, front.open);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = front_stats_json(front, limits.timeless);
  return files::to_text(json);
}

}  // namespace pimbb::crossbar
