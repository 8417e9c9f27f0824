// Solving a network: each distinct layer is solved once, and all of them are one problem.
//
// A network's goals are over its totals. Where the layers share nothing and the goals are sums, the
// layers' optima add up. The EDP of a network, total latency times total energy, is no sum: its
// optimum may take a mapping that is best for no goal of its layer alone, and is searched for over
// all layers at once. So are mappings that have to agree on something (spec 5, "Several layers").
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/network.hpp"

namespace pimbb::dram_pim {

/// What the layers of a network are solved for together.
struct JointOptions {
  /// Every layer for itself: of EDP its own latency times its own energy. No claim is made about
  /// the network then, beyond those about its layers.
  bool per_layer = false;
  bool fix_bypass = false;  ///< one storage choice for all layers
  /// At every level above 0 one permutation of the dimensions, with which the order of every
  /// layer's loops there agrees. Only for Method::exact.
  bool fix_permutation = false;
};

struct LayerSolution {
  Workload workload;             ///< the first of the equal layers
  std::int64_t repetitions = 1;  ///< how many layers of the network have this shape
  /// The layer's part in the network's solution. Its claims are about what the layer was solved
  /// for, `objective`, among the mappings that keep to what the layers agree on.
  Solution solution;
  /// As asked for; or, where that is the network's EDP, the blend of latency and energy that the
  /// best point is the optimum of.
  Objective objective = {};
};

struct NetworkTotals {
  Rational latency;      ///< sum over layers of weight * repetitions * latency, cycles
  Rational energy;       ///< likewise, nJ
  Rational activations;  ///< likewise
  Rational macs;         ///< likewise
  [[nodiscard]] Rational edp() const { return latency * energy; }  ///< total times total
};

/// What the layers agree on, and what that costs.
struct Agreement {
  /// fix_bypass: per level what all layers store there; empty if not asked for, or not found.
  std::vector<TensorFlags> stores;
  /// fix_permutation: per level above 0, from 1 on, the dimensions, outermost first; else empty.
  LoopPermutations permutations;
  /// One per goal: what the network costs if every layer is free, with its bound.
  std::vector<GoalResult> free;
  std::uint64_t parts = 0;  ///< parts of the space that were looked at: choices, complete or not
};

struct NetworkSolution {
  std::vector<LayerSolution> layers;  ///< distinct shapes, in order of first appearance
  NetworkTotals totals;               ///< over the layers that have a mapping
  /// Optimal only if every goal of the network is; infeasible if some layer is; unknown if some
  /// layer has no mapping.
  Status status = Status::optimal;
  /// One per goal, of the totals; empty if some layer has no mapping, or each is solved for itself.
  std::vector<GoalResult> goals = {};
  std::optional<Agreement> agreement = {};  ///< if one was asked for
  double seconds = 0;
};

/// Minimises the objective over the totals of the network. `on_layer` is called with every distinct
/// layer in its order: after each one where the layers are solved one by one (sums, and no
/// agreement), else at the end. The time limit in `limits` holds for the whole network, the node
/// limit for each single search for a layer's mapping. After an interruption of layers that are
/// solved one by one the remaining ones have status unknown; of a search over all of them, what is
/// not known by then is the smallest mapping. Throws InputError as solve() does, and if heuristics
/// are to agree on something.
NetworkSolution solve_network(const Architecture& architecture, const Network& network,
                              const Question& question = {}, const RunLimits& limits = {},
                              const std::function<void(const LayerSolution&)>& on_layer = {},
                              const JointOptions& joint = {});

}  // namespace pimbb::dram_pim
