// Objectives: names of goals, lists of them, and their values.
#include "pimbb/cim/objective.hpp"

#include "files/name_list.hpp"

namespace pimbb::cim {

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
