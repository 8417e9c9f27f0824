// Goals as lines in the costs of a slice.
#include "dram_pim/device/region.hpp"

#include <cassert>

namespace pimbb::dram_pim::device {

Line Region::line(const Objective& objective, Goal goal) const {
  assert(goal != Goal::edp);
  if (goal == Goal::latency) return latency_line();
  const Line of_energy = energy_line();
  if (goal == Goal::energy) return of_energy;
  if (goal == Goal::activations) return {0, 0, 0, units};
  const Line of_latency = latency_line();
  return {objective.alpha * of_latency.constant + objective.beta * of_energy.constant,
          objective.alpha * of_latency.latency + objective.beta * of_energy.latency,
          objective.beta * of_energy.energy, 0};
}

Rational value_of(const Line& line, const GoalCosts& slice) {
  return line.constant + line.latency * slice.latency + line.energy * slice.energy +
         line.activations * slice.activations;
}

}  // namespace pimbb::dram_pim::device
