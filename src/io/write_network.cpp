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
  const Json document = solution_document(architecture, layer.workload, options, layer.solution);
  Json json = Json::object();
  for (const auto& [key, value] : document.items()) {
    json[key] = value;
    if (key != "layer") continue;
    json["repetitions"] = layer.repetitions;
    json["weight"] = layer.workload.weight.to_double();
  }
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
  json["stats"] = stats_json(all, solution.seconds, threads, options.timeless);
  return to_text(json);
}

}  // namespace pimbb::io
