// Objectives: names of goals, lists of them, and their values.
#include "pimbb/dram_pim/objective.hpp"

#include <algorithm>
#include <cassert>

#include "files/name_list.hpp"

namespace pimbb::dram_pim {

Objective Objective::parse(std::string_view text) {
  Objective objective;
  objective.goals.clear();
  for (const std::size_t goal : files::parse_names("objective", text, kGoalNames)) {
    objective.goals.push_back(static_cast<Goal>(goal));
  }
  return objective;
}

std::string Objective::to_string() const {
  std::string text;
  for (const Goal goal : goals) {
    text += (text.empty() ? "" : ",") + std::string(name(goal));
  }
  return text;
}

Rational Objective::value(Goal goal, const GoalCosts& costs) const {
  switch (goal) {
    case Goal::latency: return costs.latency;
    case Goal::energy: return costs.energy;
    case Goal::edp: return costs.latency * costs.energy;
    case Goal::activations: return costs.activations;
    default: return alpha * costs.latency + beta * costs.energy;
  }
}

GoalCosts Objective::weights(Goal goal) const {
  assert(traits(goal).linear);
  return {value(goal, GoalCosts{1, 0, 0}), value(goal, GoalCosts{0, 1, 0}),
          value(goal, GoalCosts{0, 0, 1})};
}

bool Objective::is_weighted() const {
  return std::ranges::any_of(goals, [](Goal goal) { return traits(goal).weighted; });
}

bool Objective::is_linear() const {
  return std::ranges::all_of(goals, [](Goal goal) { return traits(goal).linear; });
}

}  // namespace pimbb::dram_pim
