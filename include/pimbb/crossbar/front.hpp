// The front of a network on a crossbar accelerator: all trade-offs between throughput (`ht`) and
// latency (`ll`) of one and the same mapping that no mapping beats on both.
//
//     auto front = solve_front(architecture, partition);
//
// As pimbb/dram_pim/front.hpp: points are exact, each comes with one mapping, and a complete front
// is proven to be all there is. Small networks have complete fronts; of large ones limits leave a
// part open, which is listed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/crossbar/cost.hpp"
#include "pimbb/crossbar/solver.hpp"
#include "pimbb/front.hpp"

namespace pimbb::crossbar {

/// One point of a front.
struct FrontPoint {
  std::vector<Rational> costs;  ///< by axis, ns
  Mapping mapping;
  Metrics metrics;
};

struct Front : SolveStatistics {
  std::vector<Goal> axes;
  FrontStatus status = FrontStatus::unknown;
  /// By ascending costs on the first axis, no one dominated by another. If the front is partial:
  /// legal mappings, which others may dominate.
  std::vector<FrontPoint> points;
  /// What is not settled, if the front is partial: every legal mapping that no point found equals
  /// or dominates is in one of these boxes.
  std::vector<FrontBox> open;
  /// The share of the bounding box of the points found that is settled; 1 if the front is complete.
  Rational covered = 0;
  /// The least E for which the points are a front within E of all points found.
  std::optional<Rational> within = Rational(0);
  std::uint64_t found = 0;   ///< how many points were found, listed or not
  std::uint64_t solves = 0;  ///< searches
  std::string reason;        ///< infeasible: why
  double seconds = 0;
  int threads = 1;
};

/// The order of the axes: {ht, ll}, or the reverse.
inline const std::vector<Goal> kFrontAxes{Goal::ht, Goal::ll};

/// Nodes of all searches together where no limit is given.
inline constexpr std::uint64_t kDefaultFrontNodes = 1'000'000;

/// The front of a network. `seed` is that of the random steps that look for good mappings. Limits
/// of time and nodes are those of all searches together; without either the search ends after
/// kDefaultFrontNodes nodes. The answer does not depend on the number of threads, nor on timing
/// unless a time limit or an interruption ends the search. Throws InputError if the architecture is
/// not valid, for other axes than the two, or if the network has no latency; LimitError if not even
/// one mapping fits the memory limit.
Front solve_front(const Architecture& architecture, const Partition& partition,
                  const std::vector<Goal>& axes = kFrontAxes, std::uint64_t seed = 1,
                  const RunLimits& limits = {}, const FrontOptions& options = {});

/// "ht,ll" or "ll,ht". Throws InputError that begins with `what`.
std::vector<Goal> parse_axes(std::string_view text, std::string_view what = "axes");

}  // namespace pimbb::crossbar
