// Objectives: names of goals, lists of them, and their values.
#include "pimbb/cim/objective.hpp"

#include <algorithm>

#include "files/nearest.hpp"
#include "pimbb/error.hpp"

namespace pimbb::cim {
namespace {

Goal goal_called(std::string_view text) {
  for (std::size_t g = 0; g < kGoalNames.size(); ++g) {
    if (kGoalNames[g] == text) return static_cast<Goal>(g);
  }
  throw InputError("objective: found '" + std::string(text) + "'" +
                   files::did_you_mean(text, kGoalNames) + ", allowed are " +
                   files::join(kGoalNames) + ", or several of them separated by commas");
}

}  // namespace

Objective Objective::parse(std::string_view text) {
  Objective objective;
  objective.goals.clear();
  for (;;) {
    const auto comma = text.find(',');
    const Goal goal = goal_called(text.substr(0, comma));
    if (std::ranges::find(objective.goals, goal) != objective.goals.end()) {
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
  for (const Goal goal : goals) text += (text.empty() ? "" : ",") + std::string(name(goal));
  return text;
}

Rational Objective::value(Goal goal, const Rational& latency, const Rational& energy) const {
  switch (goal) {
    case Goal::latency: return latency;
    case Goal::energy: return energy;
    case Goal::edp: return latency * energy;
    default: return alpha * latency + beta * energy;
  }
}

}  // namespace pimbb::cim
