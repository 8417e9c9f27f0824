// Solving a network: each distinct layer is solved once, and all layers together are one problem.
//
// The goals of a network are totals. If the layers are independent and the goals are sums, the
// optimum of the network is the sum of the layers' optima. The EDP of a network, total latency
// times total energy, is not a sum: its optimum may use a mapping that is not optimal for any goal
// of its layer, and is searched for over all layers at once. The same holds for layers that must
// agree on a configuration (docs/networks.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/network.hpp"

namespace pimbb::dram_pim {

/// How the layers of a network are solved together.
struct JointOptions {
  /// Each layer separately; its EDP is its own latency times its own energy. The solution then
  /// makes no claim about the network beyond those about its layers.
  bool per_layer = false;
  bool fix_bypass = false;  ///< one storage choice for all layers
  /// One permutation of the dimensions at every level above 0; the loops of every layer follow it.
  /// Only for Method::exact.
  bool fix_permutation = false;
};

struct LayerSolution {
  Workload workload;             ///< the first of the equal layers
  std::int64_t repetitions = 1;  ///< number of layers of the network with this shape
  /// The layer's part of the network's solution. Its claims refer to `objective`, among the
  /// mappings that satisfy the agreement of the layers.
  Solution solution;
  /// That of the question; if this is the network's EDP, the blend of latency and energy for which
  /// the solution is optimal.
  Objective objective = {};
};

struct NetworkTotals {
  Rational latency;      ///< sum over layers of weight * repetitions * latency, cycles
  Rational energy;       ///< likewise, nJ
  Rational activations;  ///< likewise
  Rational macs;         ///< likewise
  [[nodiscard]] Rational edp() const { return latency * energy; }  ///< total times total
  [[nodiscard]] GoalCosts goal_costs() const { return {latency, energy, activations}; }
};

/// The configuration that the layers agree on, and its cost.
struct Agreement {
  /// fix_bypass: for each level the tensors that all layers store; empty without fix_bypass, or if
  /// no agreement was found.
  std::vector<TensorFlags> stores;
  /// fix_permutation: for each level from 1 on the dimensions, outermost first; else empty.
  LoopPermutations permutations;
  /// For each goal the cost of the network without agreement, with its bound.
  std::vector<GoalResult> free;
  std::uint64_t parts = 0;  ///< parts of the space that were searched: complete or partial choices
};

struct NetworkSolution {
  std::vector<LayerSolution> layers;  ///< distinct shapes, in order of first appearance
  NetworkTotals totals;               ///< over the layers that have a mapping
  /// Optimal only if every goal of the network is optimal; infeasible if some layer is infeasible;
  /// unknown if some layer has no mapping.
  Status status = Status::optimal;
  /// One for each goal, of the totals; empty if some layer has no mapping, or with per_layer.
  std::vector<GoalResult> goals = {};
  std::optional<Agreement> agreement = {};  ///< if an agreement was requested
  double seconds = 0;
};

/// Whether all layers are solved as one problem: if they are to agree on something, or a goal of
/// the network is no sum over its layers.
bool solved_as_one(const Question& question, const JointOptions& joint);

/// Minimises the objective over the totals of the network. `on_layer` is called with every distinct
/// layer in order: after each layer if they are solved one by one (goals that are sums, no
/// agreement), else at the end. The time limit applies to the whole network, the node limit to each
/// search for a layer's mapping. If a limit or an interruption ends the search, every layer has a
/// mapping all the same. Layers solved one by one share the time: half of it in turn, the rest
/// where the gap is widest. Throws InputError as solve() does, and if an agreement is requested
/// from a heuristic.
NetworkSolution solve_network(const Architecture& architecture, const Network& network,
                              const Question& question = {}, const RunLimits& limits = {},
                              const std::function<void(const LayerSolution&)>& on_layer = {},
                              const JointOptions& joint = {});

}  // namespace pimbb::dram_pim
