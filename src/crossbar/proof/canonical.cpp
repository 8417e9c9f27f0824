// The canonical instance: every figure that `ht` and `ll` depend on, and nothing else.
#include "crossbar/proof/canonical.hpp"

#include <nlohmann/json.hpp>

#include "pimbb/crossbar/front_proof.hpp"
#include "pimbb/crossbar/proof.hpp"
#include "pimbb/error.hpp"

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
  ordered_json json = ordered_json::object();
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
  ordered_json json = ordered_json::object();
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

/// But for the goals, which come last.
ordered_json canonical_problem(const Architecture& architecture, const NodeGraph& graph) {
  ordered_json json = ordered_json::object();
  json["format"] = "pimbb-crossbar-instance/1";
  json["accelerator"] = canonical_accelerator(architecture);
  json["network"] = ordered_json::object();
  json["network"]["name"] = graph.name;
  json["network"]["nodes"] = ordered_json::array();
  for (const Node& node : graph.nodes) json["network"]["nodes"].push_back(canonical_node(node));
  return json;
}

std::string canonical_text(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::string canonical_instance(const Architecture& architecture, const NodeGraph& graph,
                               const Question& question) {
  ordered_json json = canonical_problem(architecture, graph);
  json["goal"] = name(question.goal);
  return canonical_text(json);
}

std::string canonical_front_instance(const Architecture& architecture, const NodeGraph& graph,
                                     const std::vector<Goal>& axes) {
  ordered_json json = canonical_problem(architecture, graph);
  json["goals"] = ordered_json::array();
  for (const Goal axis : axes) json["goals"].push_back(name(axis));
  return canonical_text(json);
}

namespace proof {

std::string mapping_text(const Mapping& mapping) {
  ordered_json json = ordered_json::object();
  json["replication"] = mapping.replication;
  json["cores"] = ordered_json::array();
  for (const std::vector<Share>& core : mapping.cores) {
    ordered_json shares = ordered_json::array();
    for (const Share& share : core) {
      shares.push_back(ordered_json::array({share.array, share.groups}));
    }
    json["cores"].push_back(std::move(shares));
  }
  return json.dump();
}

void check_covered(const Architecture& architecture) {
  if (!architecture.core.enforce_local_memory) return;
  throw InputError("proof: found enforce_local_memory, allowed are cores without this rule");
}

}  // namespace proof

}  // namespace pimbb::crossbar
