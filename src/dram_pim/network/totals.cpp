// Adding up.
#include "dram_pim/network/totals.hpp"

#include <cassert>

namespace pimbb::dram_pim::network {

Values& operator+=(Values& a, const Values& b) {
  assert(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  return a;
}

Rational times(const NetworkLayer& layer) { return layer.workload.weight * layer.repetitions; }

void add(NetworkTotals& totals, const NetworkLayer& layer, const Metrics& metrics) {
  const Rational count = times(layer);
  totals.latency += count * metrics.latency;
  totals.energy += count * metrics.energy;
  totals.activations += count * metrics.activations();
  totals.macs += count * layer.workload.macs();
}

Values values_of(const Objective& objective, const Metrics& metrics) {
  Values values;
  for (const Goal goal : objective.goals) values.push_back(objective.value(goal, metrics));
  return values;
}

Values values_of(const Objective& objective, const NetworkTotals& totals) {
  Values values;
  for (const Goal goal : objective.goals) {
    values.push_back(objective.value(goal, totals.goal_costs()));
  }
  return values;
}

Values floor_of(const std::vector<GoalResult>& goals) {
  Values floor;
  bool closed = true;
  for (const GoalResult& goal : goals) {
    floor.push_back(closed ? goal.bound : Rational());
    closed = closed && goal.value == goal.bound;
  }
  return floor;
}

std::vector<GoalResult> results(const Objective& objective, const Values& value,
                                const Values& floor) {
  assert(value.size() == objective.goals.size() && floor.size() == value.size());
  assert(!(value < floor));
  std::vector<GoalResult> goals;
  bool closed = true;
  for (std::size_t k = 0; k < value.size(); ++k) {
    goals.push_back({objective.goals[k], value[k], closed ? floor[k] : Rational()});
    closed = closed && value[k] == floor[k];
  }
  return goals;
}

Status weaker(Status a, Status b) {
  const auto weakness = [](Status status) {
    switch (status) {
      case Status::optimal: return 0;
      case Status::feasible: return 1;
      case Status::unknown: return 2;
      default: return 3;
    }
  };
  return weakness(a) < weakness(b) ? b : a;
}

}  // namespace pimbb::dram_pim::network
