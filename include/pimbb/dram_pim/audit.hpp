// How far a given mapping is from the best one, certified: the same problem is solved to proof.
//
//   auto audit = pimbb::audit(architecture, layer, mapping, {.objective =
//   Objective::parse("edp")});
//
// Where a limit ends the search, its proven bound takes the optimum's place.
#pragma once

#include <optional>
#include <vector>

#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim {

/// One goal of the objective. Of a list, each is minimal given the goals before it.
struct GoalDistance {
  Goal goal = Goal::latency;
  Rational value;                ///< of the given mapping
  std::optional<Rational> best;  ///< of the best mapping found; none if there is none so far
  Rational bound;                ///< proven: no mapping is below it; the optimum, if that is proven

  /// value / bound: at most so many times the optimum. None where the bound is 0 and the value not.
  [[nodiscard]] std::optional<Rational> ratio() const;
  /// (value - bound) / value, 0 where value is 0; negative in a later goal if an earlier one is not
  /// minimal.
  [[nodiscard]] Rational gap() const;
};

enum class Standing : std::uint8_t {
  optimal,      ///< proven: no mapping is better
  not_optimal,  ///< proven: there is a better one, `solution.mapping`
  unknown       ///< a limit was hit, and nothing better has been found
};
inline constexpr std::array<std::string_view, 3> kStandingNames{"optimal", "not_optimal",
                                                                "unknown"};

struct Audit {
  Metrics metrics;    ///< of the given mapping
  Solution solution;  ///< what it is compared with
  std::vector<GoalDistance> goals;
  Standing standing = Standing::unknown;
  /// The first goal that is not minimal, which makes the goals after it no distance; none if all
  /// values are at their bounds.
  std::optional<std::size_t> decided_by;

  /// Whether the distance is exact: the search ended, or the mapping is proven optimal anyway.
  [[nodiscard]] bool certified() const {
    return solution.status == Status::optimal || standing == Standing::optimal;
  }
};

/// Audits a feasible mapping. Throws InputError as solve() does, or if the mapping is not feasible
/// or the method not exact; std::logic_error if the mapping refutes what the solver has proven.
Audit audit(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
            const Question& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
