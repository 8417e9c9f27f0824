// A network: layers with repetitions, each distinct layer solved once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/graph.hpp"
#include "pimbb/solver.hpp"
#include "pimbb/workload.hpp"

namespace pimbb {

struct NetworkLayer {
  Workload workload;
  std::int64_t repetitions = 1;
};

struct Network {
  std::string name = "network";
  std::vector<NetworkLayer> layers;
  std::optional<Graph> graph = {};  ///< where it is known: its layers are those of `layers`
};

/// The network of a graph's layers.
Network network_of(std::string name, Graph graph);

struct LayerSolution {
  Workload workload;             ///< the first of the equal layers
  std::int64_t repetitions = 1;  ///< how many layers of the network have this shape
  Solution solution;
};

struct NetworkTotals {
  Rational latency;      ///< sum over layers of weight * repetitions * latency, cycles
  Rational energy;       ///< likewise, nJ
  Rational activations;  ///< likewise
  Rational macs;         ///< likewise
  [[nodiscard]] Rational edp() const { return latency * energy; }  ///< total times total
};

struct NetworkSolution {
  std::vector<LayerSolution> layers;  ///< distinct shapes, in order of first appearance
  NetworkTotals totals;               ///< over the layers that have a mapping
  Status status = Status::optimal;    ///< the weakest of the layers': optimal only if all are
  double seconds = 0;
};

/// Whether two layers are the same problem with the same weight; names do not matter.
bool same_shape(const Workload& a, const Workload& b);

/// For every layer the index of its shape (bounds, stride, dilation, weight) among the distinct
/// ones, which are counted in order of first appearance.
std::vector<std::size_t> distinct_shapes(const Network& network);

/// Merges layers of equal shape, adding their repetitions: one layer for each distinct shape.
Network merge_equal_layers(const Network& network);

/// Solves every distinct layer. `on_layer` is called after each one. The time limit in `options`
/// holds for the whole network. After an interruption the remaining layers have status unknown.
NetworkSolution solve_network(const Architecture& architecture, const Network& network,
                              const SolveOptions& options,
                              const std::function<void(const LayerSolution&)>& on_layer = {});

}  // namespace pimbb
