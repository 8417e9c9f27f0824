// The pimbb-network/1 document: every distinct layer's result, the nodes of the graph where there
// is one, and the network's totals.
#include <algorithm>
#include <map>

#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/network_json.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/graph_json.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/operator_traffic.hpp"

namespace pimbb::dram_pim {
namespace {

/// What the layers agree on, and what the network costs without.
files::Json joint_json(const Architecture& architecture, const Agreement& agreement) {
  files::Json json = files::Json::object();
  files::Json stores = files::Json::object();
  for (std::size_t m = 0; m < agreement.stores.size(); ++m) {
    files::Json tensors = files::Json::array();
    for (const Tensor t : kAllTensors) {
      if (agreement.stores[m][index(t)]) tensors.push_back(name(t));
    }
    stores[architecture.levels[m].name] = std::move(tensors);
  }
  files::Json permutations = files::Json::object();
  for (std::size_t m = 0; m < agreement.permutations.size(); ++m) {
    files::Json dims = files::Json::array();
    for (const Dim j : agreement.permutations[m]) dims.push_back(name(j));
    permutations[architecture.levels[m + 1].name] = std::move(dims);
  }
  files::add_unless_empty(json, "stores", std::move(stores));
  files::add_unless_empty(json, "permutations", std::move(permutations));
  json["free"] = io::goals_json(agreement.free);
  json["parts"] = agreement.parts;
  return json;
}

files::Json traffic_json(const OperatorTraffic& moved) {
  files::Json json = files::Json::object();
  json["bytes"] = moved.bytes.to_double();
  json["rows"] = moved.rows.to_double();
  return json;
}

/// The nodes, those that are counted with what they move.
files::Json nodes_json(const Architecture& architecture, const Network& network) {
  files::Json list = layers::nodes_json(network);
  for (std::size_t n = 0; n < list.size(); ++n) {
    const GraphNode& node = network.graph->nodes[n];
    if (!is_counted(*network.graph, node)) continue;
    const auto moved = operator_traffic(architecture, *network.graph, node);
    list[n]["moved"] = moved ? traffic_json(*moved) : files::Json(nullptr);
  }
  return list;
}

/// The sums of what nodes move that are no layers, by kind.
files::Json passed_through_json(const Architecture& architecture, const Graph& graph) {
  files::Json json = files::Json::object();
  const auto kinds = traffic_by_kind(architecture, graph);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].nodes + kinds[k].unknown == 0) continue;
    files::Json kind = files::Json::object();
    kind["nodes"] = kinds[k].nodes;
    kind["unknown_shape"] = kinds[k].unknown;
    kind.update(traffic_json(kinds[k].moved));
    json[std::string(kMovingKindNames[k])] = std::move(kind);
  }
  return json;
}

/// What the totals do not contain: layers without a mapping, and nodes by operator, those that were
/// skipped and those that are no layers; null if the network has no graph.
files::Json left_out_json(const Network& network, const std::vector<std::string>& layers) {
  files::Json json = files::Json::object();
  json["layers"] = layers;
  std::map<std::string, std::int64_t> skipped;
  std::map<std::string, std::int64_t> others;
  if (network.graph) {
    for (const GraphNode& node : network.graph->nodes) {
      if (!node.layer) ++(node.skipped ? skipped : others)[node.op];
    }
  }
  json["skipped"] = network.graph ? files::Json(skipped) : files::Json(nullptr);
  json["other_operators"] = network.graph ? files::Json(others) : files::Json(nullptr);
  return json;
}

}  // namespace

namespace io {

files::Json counted_layer(const files::Json& document, std::int64_t repetitions,
                          const Rational& weight) {
  files::Json json = files::Json::object();
  for (const auto& [key, value] : document.items()) {
    json[key] = value;
    if (key != "layer") continue;
    json["repetitions"] = repetitions;
    json["weight"] = weight.to_double();
  }
  return json;
}

files::Json goals_json(const std::vector<GoalResult>& goals) {
  files::Json list = files::Json::array();
  for (const GoalResult& goal : goals) {
    Figures figures;
    figures.add("value", goal.value);
    figures.add("bound", goal.bound);
    figures.add("gap", goal.gap());
    files::Json json = files::Json::object();
    json["name"] = name(goal.goal);
    json.update(figures.numbers);
    json["exact"] = std::move(figures.exact);
    list.push_back(std::move(json));
  }
  return list;
}

files::Json totals_json(const Network& network, const NetworkTotals& totals,
                        const std::vector<GoalResult>& goals,
                        const std::vector<std::string>& left_out) {
  Figures figures;
  figures.add("latency", totals.latency);
  figures.add("energy", totals.energy);
  figures.add("edp", totals.edp());
  figures.add("activations", totals.activations);
  figures.add("macs", totals.macs);
  figures.numbers["exact"] = std::move(figures.exact);
  if (!goals.empty()) figures.numbers["goals"] = goals_json(goals);
  figures.numbers["left_out"] = left_out_json(network, left_out);
  return std::move(figures.numbers);
}

void add_nodes(files::Json& json, const Architecture& architecture, const Network& network) {
  if (!network.graph) return;
  json["nodes"] = nodes_json(architecture, network);
  json["passed_through"] = passed_through_json(architecture, *network.graph);
}

}  // namespace io

std::string network_json(const Architecture& architecture, const Network& network,
                         const Question& question, const RunLimits& limits,
                         const NetworkSolution& solution) {
  SolveStatistics all;
  int threads = 1;
  files::Json layers = files::Json::array();
  std::vector<std::string> left_out;
  for (const LayerSolution& layer : solution.layers) {
    Question own = question;
    own.objective = layer.objective;
    layers.push_back(io::counted_layer(
        io::solution_document(architecture, layer.workload, own, limits, layer.solution),
        layer.repetitions, layer.workload.weight));
    if (!layer.solution.mapping) left_out.push_back(layer.workload.name);
    all += layer.solution;
    threads = std::max(threads, layer.solution.threads);
  }
  files::Json json = files::Json::object();
  json["format"] = io::kNetworkFormat;
  json["name"] = network.name;
  json["objective"] = question.objective.to_string();
  json["row_model"] = name(question.row_model);
  json["method"] = name(question.method);
  if (question.constraints.any()) {
    json["constraints"] = io::constraints_json(architecture, question.constraints);
  }
  json["status"] = name(solution.status);
  json["layers"] = std::move(layers);
  io::add_nodes(json, architecture, network);
  json["totals"] = io::totals_json(network, solution.totals, solution.goals, left_out);
  if (solution.agreement) json["joint"] = joint_json(architecture, *solution.agreement);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(all, solution.seconds, threads, limits.timeless);
  io::add_warnings(json, architecture);
  return files::to_text(json);
}

}  // namespace pimbb::dram_pim
