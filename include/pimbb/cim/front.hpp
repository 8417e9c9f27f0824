// The front of a layer on SRAM compute-in-memory: all trade-offs between latency and energy that no
// mapping beats on both.
//
//     auto front = solve_front(architecture, layer);
//
// As pimbb/dram_pim/front.hpp: points are exact, each comes with one mapping, and a complete front
// is proven to be all there is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/cim/cost.hpp"
#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/solver.hpp"
#include "pimbb/front.hpp"

namespace pimbb::cim {

/// One point of a front.
struct FrontPoint {
  std::vector<Rational> costs;  ///< by axis: cycles, nJ
  Mapping mapping;
  Metrics metrics;
};

struct Front : SolveStatistics {
  std::vector<Goal> axes;
  FrontStatus status = FrontStatus::unknown;
  /// By ascending costs on the first axis, no one dominated by another. If the front is partial:
  /// feasible mappings, which others may dominate.
  std::vector<FrontPoint> points;
  /// What is not settled, if the front is partial: every feasible mapping that no point found
  /// equals or dominates is in one of these boxes.
  std::vector<FrontBox> open;
  /// The share of the bounding box of the points found that is settled; 1 if the front is complete.
  Rational covered = 0;
  /// The least E for which the points are a front within E of all points found; nothing if a
  /// coordinate 0 is missing.
  std::optional<Rational> within = Rational(0);
  std::uint64_t found = 0;   ///< how many points were found, listed or not
  std::uint64_t solves = 0;  ///< searches
  std::string reason;        ///< infeasible: why
  double seconds = 0;
  int threads = 1;
};

/// The order of the axes: {latency, energy}, or the reverse.
inline const std::vector<Goal> kFrontAxes{Goal::latency, Goal::energy};

/// The front of `layer`. Of `question` the objective is not used, but for the weights of limits on
/// a blend; pricing, limits and restrictions hold for all points. Limits of time and nodes are
/// those of all searches together. Throws InputError as solve() does, for other axes than the two,
/// for the method `greedy` and for the semantics `simulator`, which prove nothing.
Front solve_front(const Architecture& architecture, const Workload& layer,
                  const std::vector<Goal>& axes = kFrontAxes, const Question& question = {},
                  const RunLimits& limits = {}, const FrontOptions& options = {});

/// "latency,energy" or "energy,latency". Throws InputError that begins with `what`.
std::vector<Goal> parse_axes(std::string_view text, std::string_view what = "axes");

}  // namespace pimbb::cim
