// A mapping is compared goal by goal with what solve_padded() returns and proves.
#include "pimbb/dram_pim/audit.hpp"

#include <stdexcept>

#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

void check_input(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
                 const Question& question) {
  if (question.method != Method::exact) {
    throw InputError("audit: found method '" + std::string(name(question.method)) +
                     "', allowed is exact");
  }
  if (const auto violation = find_violation(architecture, workload, mapping)) {
    throw InputError("the mapping breaks the rule '" + violation->rule +
                     "': " + violation->message);
  }
  if (const auto breach = find_breach(architecture, mapping, question.constraints)) {
    throw InputError("the mapping does not satisfy the constraints: " + *breach);
  }
}

/// The layer with the bounds that the mapping's factors make, if padding allows them; otherwise the
/// layer itself, whose mapping this is not.
Workload layer_of(const Architecture& architecture, const Workload& workload,
                  const Mapping& mapping) {
  const Workload layer = with_bounds(workload, workload.bounds);
  if (mapping.levels.size() != architecture.levels.size()) return layer;
  const Factors bounds = mapping.tile(architecture.dram());
  const Factors tops = workload.tops();
  for (std::size_t j = 0; j < kDims; ++j) {
    if (bounds[j] < workload.bounds[j] || bounds[j] > tops[j]) return layer;
  }
  return with_bounds(workload, bounds);
}

/// -1, 0, 1: whether the values are better than those of the mapping that was found, in the goals'
/// order of importance.
int compare_with_best(const std::vector<GoalDistance>& goals) {
  for (const GoalDistance& g : goals) {
    if (!g.best) return -1;
    if (g.value != *g.best) return g.value < *g.best ? -1 : 1;
  }
  return 0;
}

/// A goal's bound holds for all mappings, or for those that are minimal in the goals before it. So
/// it speaks of the given mapping as long as that attains the bounds before.
void judge(Distance& distance) {
  for (std::size_t k = 0; k < distance.goals.size() && !distance.decided_by; ++k) {
    const GoalDistance& g = distance.goals[k];
    if (g.value < g.bound) {
      throw std::logic_error("a given mapping has " + std::string(name(g.goal)) + ' ' +
                             g.value.to_string() + ", proven to be at least " +
                             g.bound.to_string());
    }
    if (g.value != g.bound) distance.decided_by = k;
  }
  if (!distance.decided_by) {
    distance.standing = Standing::optimal;
  } else if (compare_with_best(distance.goals) > 0) {
    distance.standing = Standing::not_optimal;
  }
}

}  // namespace

std::optional<Rational> GoalDistance::ratio() const {
  if (bound.sign() != 0) return value / bound;
  return value.sign() == 0 ? std::optional<Rational>(1) : std::nullopt;
}

Distance measure_distance(const Objective& objective, const GoalCosts& costs, Status status,
                          const std::vector<GoalResult>& results, bool found) {
  if (status == Status::infeasible) {
    throw std::logic_error("a feasible mapping is given where none is proven to exist");
  }
  Distance distance;
  distance.complete = status == Status::optimal;
  for (std::size_t k = 0; k < objective.goals.size(); ++k) {
    const Goal of = objective.goals[k];
    GoalDistance goal{of, objective.value(of, costs), {}, {}};
    if (k < results.size()) {
      goal.bound = results[k].bound;
      if (found) goal.best = results[k].value;
    }
    distance.goals.push_back(std::move(goal));
  }
  judge(distance);
  return distance;
}

Audit audit(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
            const Question& question, const RunLimits& limits) {
  const Workload mapped = layer_of(architecture, workload, mapping);
  check_input(architecture, mapped, mapping, question);
  Audit audit;
  audit.metrics = evaluate(architecture, mapped, mapping, question.row_model);
  audit.solution = solve_padded(architecture, workload, question, limits);
  const Solution& s = audit.solution;
  static_cast<Distance&>(audit) =
      measure_distance(question.objective,
                       {audit.metrics.latency, audit.metrics.energy, audit.metrics.activations()},
                       s.status, s.goals, s.mapping.has_value());
  return audit;
}

}  // namespace pimbb::dram_pim
