// Random mappings and simulated annealing.
#include "support/attack.hpp"

#include <cmath>

#include "pimbb/dram_pim/cost.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/random_mapping.hpp"

namespace testkit {

using namespace pimbb;
using namespace pimbb::dram_pim;

void Attack::random(std::size_t tries, std::size_t outward) {
  for (std::size_t n = 0; n < tries; ++n) {
    try_mapping(random_mapping(i_.architecture, i_.workload, choices_, outward));
  }
}

void Attack::anneal(const Mapping& start, std::size_t steps, double hottest) {
  std::optional<Rational> value = try_mapping(start);
  if (!value) return;
  Mapping current = start;
  double cost = value->to_double();
  for (std::size_t n = 0; n < steps; ++n) {
    const double done = static_cast<double>(n) / static_cast<double>(steps);
    const double temperature = hottest * std::pow(1e-3, done);
    Mapping next = current;
    step(next, i_.architecture, i_.workload, choices_);
    value = try_mapping(next);
    if (!value) continue;
    const double worse = cost > 0 ? value->to_double() / cost - 1 : value->to_double();
    const double chance = std::exp(-worse / temperature) * Choices::kRange;
    if (chance < static_cast<double>(choices_.pick(Choices::kRange))) continue;
    current = std::move(next);
    cost = value->to_double();
  }
}

std::optional<Rational> Attack::try_mapping(const Mapping& m) {
  if (!oracle::broken_rule(i_.architecture, i_.workload, m).empty()) return std::nullopt;
  ++feasible_;
  const Metrics metrics = evaluate(i_.architecture, i_.workload, m, i_.row_model);
  Rational value = i_.objective.value(i_.objective.goals[0], metrics);
  if (!best_ || value < best_->second) best_ = {m, value};
  return value;
}

}  // namespace testkit
