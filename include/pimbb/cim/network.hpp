// Whole networks on SRAM compute-in-memory: every distinct layer solved, goals of the totals.
//
// Latency, energy and their blends are sums over the layers, so each layer is solved by itself. EDP
// is total latency times total energy: it is minimised over all layers together.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "pimbb/cim/solver.hpp"
#include "pimbb/network.hpp"

namespace pimbb::cim {

struct LayerSolution {
  Workload workload;
  std::int64_t repetitions = 1;  ///< of all layers of this shape
  Objective objective;           ///< that the layer was solved for
  Solution solution;
};

struct NetworkTotals {
  Rational latency;  ///< sum of weight * repetitions * latency, cycles
  Rational energy;   ///< likewise, nJ
  Rational macs;     ///< likewise
  [[nodiscard]] Rational edp() const { return latency * energy; }  ///< total times total
};

struct NetworkSolution {
  std::vector<LayerSolution> layers;  ///< distinct shapes, in order of first appearance
  NetworkTotals totals;               ///< over the layers that have a mapping
  /// Optimal only if every goal of the network is; infeasible if some layer is infeasible; unknown
  /// if some layer has no mapping.
  Status status = Status::optimal;
  /// One for each goal, of the totals; empty if some layer has no mapping, or if layers are solved
  /// for their own EDP.
  std::vector<GoalResult> goals = {};
  std::uint64_t blends = 0;  ///< directions of latency and energy that EDP needed
  double seconds = 0;
};

/// Minimises the objective over the totals; with `per_layer` each layer's own instead, which makes
/// a difference for EDP only; heuristics do that in any case. `on_layer` is called with every
/// distinct layer in order: after each layer if they are solved one by one, else at the end. The
/// time limit applies to the whole network, the node limit to each search. Throws InputError as
/// solve() does.
NetworkSolution solve_network(const Architecture& architecture, const Network& network,
                              const Question& question = {}, const RunLimits& limits = {},
                              const std::function<void(const LayerSolution&)>& on_layer = {},
                              bool per_layer = false);

}  // namespace pimbb::cim
