// Objectives: names of goals, lists of them, and their values.
#include "pimbb/dram_pim/objective.hpp"

#include <algorithm>
#include <cassert>

#include "files/nearest.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

Goal parse_goal(std::string_view text) {
  for (std::size_t g = 0; g < kGoalNames.size(); ++g) {
    if (kGoalNames[g] == text) return static_cast<Goal>(g);
  }
  std::string allowed;
  for (const std::string_view goal : kGoalNames) {
    allowed += (allowed.empty() ? "" : ", ") + std::string(goal);
  }
  throw InputError("objective: found '" + std::string(text) + "'" +
                   files::did_you_mean(text, kGoalNames) + ", allowed are " + allowed +
                   ", or several of them separated by commas");
}

}  // namespace

Objective Objective::parse(std::string_view text) {
  Objective objective;
  objective.goals.clear();
  for (;;) {
    const auto comma = text.find(',');
    const Goal goal = parse_goal(text.substr(0, comma));
    if (std::find(objective.goals.begin(), objective.goals.end(), goal) != objective.goals.end()) {
      throw InputError("objective: found '" + std::string(name(goal)) +
                       "' twice, allowed is each goal once");
    }
    objective.goals.push_back(goal);
    if (comma == std::string_view::npos) return objective;
    text.remove_prefix(comma + 1);
  }
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
