// The front of a network: all trade-offs between the totals of latency, energy and row activations
// that no choice of a mapping for each layer beats on every axis.
//
//     auto front = solve_network_front(architecture, network, {Goal::latency, Goal::energy});
//
// Totals are sums over the layers, times weight and repetitions. Layers of equal shape take the
// same mapping, as in solve_network(). The front of the totals is made from the complete fronts of
// the layers (front.hpp). It depends neither on the number of threads nor on timing, unless a limit
// of time or an interruption ends the search.
#pragma once

#include <functional>

#include "pimbb/dram_pim/front.hpp"
#include "pimbb/network.hpp"

namespace pimbb::dram_pim {

struct LayerFront {
  Workload workload;
  std::int64_t repetitions = 1;
  Front front;  ///< of one repetition
};

struct NetworkFrontPoint {
  std::vector<Rational> costs;      ///< totals by axis: cycles, nJ, activations
  std::vector<std::size_t> chosen;  ///< by layer: the number of its front's point
};

struct NetworkFront : SolveStatistics {
  std::vector<Goal> axes;
  FrontStatus status = FrontStatus::unknown;
  std::vector<LayerFront> layers;  ///< a layer for each shape, with repetitions added
  /// By ascending totals on the first axis, no one dominated by another.
  std::vector<NetworkFrontPoint> points;
  /// What is not settled, if the front is partial: every choice of mappings that no point equals or
  /// dominates is in one of these boxes.
  std::vector<FrontBox> open;
  /// The share of the bounding box of the points that is settled; 1 if the front is complete.
  Rational covered = 0;
  /// Every choice of mappings whose layers are on the layers' fronts is dominated by a point after
  /// the point's totals are divided by 1 + `within`; 0 if all points are there, nothing if points
  /// with a total of 0 are missing.
  std::optional<Rational> within = Rational(0);
  std::uint64_t found = 0;  ///< points of the totals that were made, listed or not
  std::string reason;       ///< infeasible: which layer, and why
  double seconds = 0;
  int threads = 1;
};

/// As solve_front(), for all layers. A time limit is shared by the layers. `options.within` and
/// `options.points` are about the totals. Totals that are too many for the memory limit are
/// thinned, and the front is then partial. `on_layer` is called after each layer. Throws as
/// solve_front(), and InputError for an invalid network.
NetworkFront solve_network_front(const Architecture& architecture, const Network& network,
                                 const std::vector<Goal>& axes, const Question& question = {},
                                 const RunLimits& limits = {}, const FrontOptions& options = {},
                                 const std::function<void(const LayerFront&)>& on_layer = {});

}  // namespace pimbb::dram_pim
