// The front of a layer: all trade-offs between latency, energy and row activations that no mapping
// beats on every axis.
//
//     auto front = solve_front(architecture, layer, {Goal::latency, Goal::energy});
//
// A cost vector dominates another one if it is no larger on every axis and smaller on one. The
// front is the set of cost vectors of feasible mappings that no feasible mapping's dominates. It
// depends neither on the number of threads nor on timing, unless a limit of time or an interruption
// ends the search.
#pragma once

#include <vector>

#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/front.hpp"

namespace pimbb::dram_pim {

/// One point of a front.
struct FrontPoint {
  std::vector<Rational> costs;  ///< by axis: cycles, nJ, activations
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
  /// The least E for which the points are a front within E of all points found: 0 if they are all
  /// there, nothing if a coordinate 0 is missing.
  std::optional<Rational> within = Rational(0);
  std::uint64_t found = 0;  ///< how many points were found, listed or not
  std::string reason;       ///< infeasible: why
  double seconds = 0;
  int threads = 1;
};

/// The front of `layer` on `axes`, two or three different ones of latency, energy and activations.
/// Of `question` the objective is not used, but for the weights of limits on a blend; its limits
/// and restrictions hold for all points. Throws InputError as solve() does, if there are other
/// axes, for heuristic methods and for layers that may be padded; LimitError if the memory limit is
/// too small.
Front solve_front(const Architecture& architecture, const Workload& layer,
                  const std::vector<Goal>& axes, const Question& question = {},
                  const RunLimits& limits = {}, const FrontOptions& options = {});

/// "latency,energy": two or three axes. Throws InputError that begins with `what` and names the
/// allowed ones.
std::vector<Goal> parse_axes(std::string_view text, std::string_view what = "axes");

}  // namespace pimbb::dram_pim
