// The certified distance of a given mapping from the optimum: the same problem is solved to proof.
//
//   auto distance = audit(architecture, layer, mapping, {.objective = Objective::parse("edp")});
//
// If a limit stops the search, its proven bound replaces the optimum.
#pragma once

#include <optional>
#include <vector>

#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim {

/// The distance in one goal of the objective. In a list each goal is minimal given the earlier
/// ones.
struct GoalDistance {
  Goal goal = Goal::latency;
  Rational value;                ///< of the given mapping
  std::optional<Rational> best;  ///< of the best mapping found; none if none was found
  Rational bound;                ///< proven lower bound; the optimum if that is proven

  /// value / bound, an upper bound on value / optimum. None if the bound is 0 and the value is not.
  [[nodiscard]] std::optional<Rational> ratio() const;
  /// May be negative in a later goal if an earlier goal is not minimal.
  [[nodiscard]] Rational gap() const { return relative_gap(value, bound); }
};

enum class Standing : std::uint8_t {
  optimal,      ///< proven: no mapping is better
  not_optimal,  ///< proven: `solution.mapping` is better
  unknown       ///< a limit was reached, and no better mapping has been found
};
inline constexpr std::array<std::string_view, 3> kStandingNames{"optimal", "not_optimal",
                                                                "unknown"};

/// How far the values of a given mapping are from the best, goal by goal.
struct Distance {
  bool complete = false;  ///< the best mapping is proven to be the best
  std::vector<GoalDistance> goals;
  Standing standing = Standing::unknown;
  /// The first goal that is not minimal; goals after it are not comparable. None if all values
  /// equal their bounds.
  std::optional<std::size_t> decided_by;

  /// Whether the distance is exact: the search is complete, or the mapping is proven optimal.
  [[nodiscard]] bool certified() const { return complete || standing == Standing::optimal; }
};

/// The distance of given costs from what a search returned: its status and results, and whether it
/// found a mapping. Throws std::logic_error if they contradict each other.
Distance measure_distance(const Objective& objective, const GoalCosts& costs, Status status,
                          const std::vector<GoalResult>& results, bool found);

struct Audit : Distance {
  Metrics metrics;    ///< of the given mapping
  Solution solution;  ///< the mapping that it is compared with
};

/// Audits a feasible mapping, of the layer or of padded bounds that it allows. Throws InputError as
/// solve() does, or if the mapping is not feasible or the method not exact; std::logic_error if the
/// mapping contradicts the solver's proof.
Audit audit(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
            const Question& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
