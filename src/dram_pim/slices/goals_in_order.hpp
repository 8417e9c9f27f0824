// A list of goals, minimised one after the other: the optimum of a goal is a cap on those after it.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "pimbb/dram_pim/question.hpp"
#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim::slices {

struct GoalsInOrder {
  std::vector<GoalResult> goals;
  bool proven = true;  ///< every value is the optimum within the caps before it
};

/// `minimise(goal)` searches within `caps`, and returns a bound on all mappings if a limit ended
/// it. `value_of_best(goal)` is the value of the best mapping, if there is one. Values become caps.
template <class Minimise, class ValueOfBest>
GoalsInOrder minimise_in_order(const std::vector<Goal>& goals, std::vector<GoalCap>& caps,
                               const Minimise& minimise, const ValueOfBest& value_of_best) {
  GoalsInOrder found;
  for (const Goal goal : goals) {
    const std::optional<Rational> bound = minimise(goal);
    found.proven = found.proven && !bound;
    const std::optional<Rational> value = value_of_best(goal);
    if (value) {
      found.goals.push_back({goal, *value, bound ? std::min(*bound, *value) : *value});
      caps.push_back({goal, *value});
    } else if (bound) {
      found.goals.push_back({goal, {}, *bound});
    }
  }
  return found;
}

}  // namespace pimbb::dram_pim::slices
