// The pimbb-network/1 document: every distinct layer's result, the nodes of the graph where there
// is one, and the network's totals.
#include <algorithm>

#include "io/formats.hpp"
#include "io/graph_json.hpp"
#include "io/result_json.hpp"
#include "pimbb/io.hpp"

namespace pimbb::io {
namespace {

/// The layer's own document, with how often it counts put behind its name.
Json layer_json(const Architecture& architecture, const SolveOptions& options,
                const LayerSolution& layer) {
  SolveOptions own = options;
  own.objective = layer.objective;
  const Json document = solution_document(architecture, layer.workload, own, layer.solution);
  Json json = Json::object();
  for (const auto& [key, value] : document.items()) {
    json[key] = value;
    if (key != "layer") continue;
    json["repetitions"] = layer.repetitions;
    json["weight"] = layer.workload.weight.to_double();
  }
  return json;
}

Json goals_json(const std::vector<GoalResult>& goals) {
  Json list = Json::array();
  for (const GoalResult& goal : goals) {
    Figures figures;
    figures.add("value", goal.value);
    figures.add("bound", goal.bound);
    figures.add("gap", goal.gap());
    Json json = Json::object();
    json["name"] = kGoalNames[static_cast<std::size_t>(goal.goal)];
    json.update(figures.numbers);
    json["exact"] = std::move(figures.exact);
    list.push_back(std::move(json));
  }
  return list;
}

/// What the layers agree on, and what the network costs without.
Json joint_json(const Architecture& architecture, const Agreement& agreement) {
  Json json = Json::object();
  Json stores = Json::object();
  for (std::size_t m = 0; m < agreement.stores.size(); ++m) {
    Json tensors = Json::array();
    for (const Tensor t : kAllTensors) {
      if (agreement.stores[m][index(t)]) tensors.push_back(name(t));
    }
    stores[architecture.levels[m].name] = std::move(tensors);
  }
  Json permutations = Json::object();
  for (std::size_t m = 0; m < agreement.permutations.size(); ++m) {
    Json dims = Json::array();
    for (const Dim j : agreement.permutations[m]) dims.push_back(name(j));
    permutations[architecture.levels[m + 1].name] = std::move(dims);
  }
  if (!stores.empty()) json["stores"] = std::move(stores);
  if (!permutations.empty()) json["permutations"] = std::move(permutations);
  json["free"] = goals_json(agreement.free);
  json["parts"] = agreement.parts;
  return json;
}

Json totals_json(const NetworkTotals& totals) {
  Figures figures;
  figures.add("latency", totals.latency);
  figures.add("energy", totals.energy);
  figures.add("edp", totals.edp());
  figures.add("activations", totals.activations);
  figures.add("macs", totals.macs);
  figures.numbers["exact"] = std::move(figures.exact);
  return std::move(figures.numbers);
}

}  // namespace

std::string network_json(const Architecture& architecture, const Network& network,
                         const SolveOptions& options, const NetworkSolution& solution) {
  Statistics all;
  int threads = 1;
  Json layers = Json::array();
  for (const LayerSolution& layer : solution.layers) {
    layers.push_back(layer_json(architecture, options, layer));
    all += layer.solution;
    threads = std::max(threads, layer.solution.threads);
  }
  Json json = Json::object();
  json["format"] = kNetworkFormat;
  json["name"] = network.name;
  json["architecture"] = architecture.name;
  json["method"] = name(options.method);
  json["status"] = kStatusNames[static_cast<std::size_t>(solution.status)];
  json["layers"] = std::move(layers);
  if (network.graph) json["nodes"] = nodes_json(network);
  json["totals"] = totals_json(solution.totals);
  if (!solution.goals.empty()) json["totals"]["goals"] = goals_json(solution.goals);
  if (solution.agreement) json["joint"] = joint_json(architecture, *solution.agreement);
  json["stats"] = stats_json(all, solution.seconds, threads, options.timeless);
  return to_text(json);
}

}  // namespace pimbb::io
