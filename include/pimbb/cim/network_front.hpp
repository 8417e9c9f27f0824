// The front of a network on SRAM compute-in-memory: all trade-offs between total latency and total
// energy that no choice of a mapping for each layer beats on both.
//
// As pimbb/dram_pim/network_front.hpp: totals are sums times weight and repetitions, layers of
// equal shape take the same mapping, and the front is made from the complete fronts of the layers.
#pragma once

#include <functional>

#include "pimbb/cim/front.hpp"
#include "pimbb/network.hpp"

namespace pimbb::cim {

struct LayerFront {
  Workload workload;
  std::int64_t repetitions = 1;
  Front front;  ///< of one repetition
};

struct NetworkFrontPoint {
  std::vector<Rational> costs;      ///< totals by axis: cycles, nJ
  std::vector<std::size_t> chosen;  ///< by layer: the number of its front's point
};

struct NetworkFront : SolveStatistics {
  std::vector<Goal> axes;
  FrontStatus status = FrontStatus::unknown;
  std::vector<LayerFront> layers;  ///< a layer for each shape, with repetitions added
  std::vector<NetworkFrontPoint> points;
  std::vector<FrontBox> open;  ///< what is not settled, if the front is partial
  Rational covered = 0;        ///< share of the bounding box of the points that is settled
  /// Every choice of points of the layers' fronts is dominated by a point after the point's totals
  /// are divided by 1 + `within`; nothing if points with a total of 0 are missing.
  std::optional<Rational> within = Rational(0);
  std::uint64_t found = 0;   ///< points of the totals that were made, listed or not
  std::uint64_t solves = 0;  ///< searches
  std::string reason;        ///< infeasible: which layer, and why
  double seconds = 0;
  int threads = 1;
};

/// As solve_front(), for all layers; a time limit is shared by the layers, a limit of nodes is one
/// of each layer. `options.within` and `options.points` are about the totals. `on_layer` is called
/// after each layer. Throws as solve_front(), and InputError for an invalid network.
NetworkFront solve_network_front(const Architecture& architecture, const Network& network,
                                 const std::vector<Goal>& axes = kFrontAxes,
                                 const Question& question = {}, const RunLimits& limits = {},
                                 const FrontOptions& options = {},
                                 const std::function<void(const LayerFront&)>& on_layer = {});

}  // namespace pimbb::cim
