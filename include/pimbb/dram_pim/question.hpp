// A question to the solver: the goals, the row model, and the part of the space of mappings that is
// searched.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pimbb/dram_pim/constraints.hpp"
#include "pimbb/dram_pim/layout_range.hpp"
#include "pimbb/dram_pim/method.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "pimbb/dram_pim/precedence.hpp"
#include "pimbb/dram_pim/rules.hpp"

namespace pimbb::dram_pim {

/// An upper limit on a goal.
struct GoalCap {
  Goal goal = Goal::latency;
  Rational most;
  friend bool operator==(const GoalCap&, const GoalCap&) = default;
};

struct Question {
  Objective objective = {};
  RowModel row_model = RowModel::trace;
  /// The whole space; a dataflow, and `optimal` and `infeasible` then hold within it; or a
  /// heuristic, whose answer is `feasible` with a lower bound over the whole space.
  Method method = Method::exact;
  LayoutRanges layouts{};  ///< restrictions of the tensors' DRAM layouts; not for heuristics
  /// Constraints on loop orders, for layers that agree on them. Only for Method::exact; `optimal`
  /// and `infeasible` then hold among the mappings that satisfy the constraints.
  LoopPrecedence precedence{};
  /// Upper limit on the first goal: only mappings that cost at most this much are searched for, and
  /// `infeasible` means that there is none. Not for heuristics.
  std::optional<Rational> at_most = {};
  /// The same, but the limit itself is excluded: only what is cheaper than a known mapping. Not for
  /// proofs.
  std::optional<Rational> below = {};
  /// Upper limits on any goals, of the objective or not: the optimum is that of the mappings within
  /// all of them, and `infeasible` means that there are none. Not for heuristics.
  std::vector<GoalCap> caps = {};
  /// Only mappings that satisfy the constraints are searched for: `optimal` and `infeasible` hold
  /// among them. Not for heuristics; orders not beside `precedence`.
  Constraints constraints = {};
  std::uint64_t seed = 1;        ///< Method::random: seed of the random numbers
  std::uint64_t samples = 1000;  ///< Method::random: number of mappings to draw, >= 1
  Rules rules = {};  ///< pruning rules, for measurements and tests; no effect on answers

  /// `caps`, and `at_most` as a cap on the first goal.
  [[nodiscard]] std::vector<GoalCap> all_caps() const {
    std::vector<GoalCap> all = caps;
    if (at_most) all.push_back({objective.goals.front(), *at_most});
    return all;
  }
};

}  // namespace pimbb::dram_pim
