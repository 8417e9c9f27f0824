// The canonical instance: every figure that `ht` and `ll` depend on, and nothing else.
#include <nlohmann/json.hpp>

#include "pimbb/crossbar/proof.hpp"

namespace pimbb::crossbar {
namespace {

using nlohmann::ordered_json;

ordered_json canonical_volume(const Volume& v) {
  return ordered_json::array({v.channels, v.height, v.width});
}

ordered_json canonical_window(const WindowAxis& axis) {
  return ordered_json::array({axis.kernel, axis.stride, axis.before, axis.after});
}

ordered_json canonical_node(const Node& node) {
  ordered_json json;
  json["name"] = node.name;
  json["op"] = kOpNames[static_cast<std::size_t>(node.op)];
  json["from"] = node.from;
  json["in"] = canonical_volume(node.in);
  json["out"] = canonical_volume(node.out);
  json["vertical"] = canonical_window(node.vertical);
  json["horizontal"] = canonical_window(node.horizontal);
  return json;
}

ordered_json canonical_accelerator(const Architecture& a) {
  ordered_json json;
  json["name"] = a.name;
  json["cores"] = a.all_cores();
  json["crossbars"] = a.core.crossbars;
  json["rows"] = a.core.rows;
  json["columns"] = a.core.columns;
  json["slices"] = a.core.slices;
  json["max_nodes"] = a.core.max_nodes;
  json["time"] = a.mvm.time;
  json["interval"] = a.mvm.interval;
  return json;
}

}  // namespace

std::string canonical_instance(const Architecture& architecture, const NodeGraph& graph,
                               const Question& question) {
  ordered_json json;
  json["format"] = "pimbb-crossbar-instance/1";
  json["accelerator"] = canonical_accelerator(architecture);
  json["network"]["name"] = graph.name;
  json["network"]["nodes"] = ordered_json::array();
  for (const Node& node : graph.nodes) json["network"]["nodes"].push_back(canonical_node(node));
  json["goal"] = name(question.goal);
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace pimbb::crossbar
