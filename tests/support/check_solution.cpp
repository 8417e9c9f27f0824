// Claim by claim.
#include "support/check_solution.hpp"

#include "support/certify.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/plain_json.hpp"
#include "support/solve_options.hpp"

namespace testkit {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;

std::string status_name(Status status) {
  return std::string(kStatusNames[static_cast<std::size_t>(status)]);
}

std::string goal_line(const GoalResult& result) {
  return std::string(name(result.goal)) + " = " + result.value.to_string() + " (bound " +
         result.bound.to_string() + ")";
}

std::string false_goal(const Instance& i, const GoalResult& result, const oracle::Cost& cost) {
  const Fraction value = cost.value(result.goal, i.objective);
  if (Fraction(result.value) != value) {
    return goal_line(result) + ", but the mapping costs " + value.to_string();
  }
  if (result.bound > result.value) return goal_line(result) + ": bound above value";
  return "";
}

/// Each goal's bound holds among the mappings that are optimal in the goals before it.
std::string false_bound(const Solution& s, const oracle::Optimum& optimum) {
  for (std::size_t g = 0; g < s.goals.size(); ++g) {
    const GoalResult& result = s.goals[g];
    const Fraction& best = optimum.values[g];
    if (Fraction(result.value) < best) return goal_line(result) + " beats " + best.to_string();
    if (Fraction(result.bound) > best) return goal_line(result) + " excludes " + best.to_string();
    if (Fraction(result.value) != best) {
      return s.status == Status::optimal
                 ? goal_line(result) + ", but the optimum is " + best.to_string()
                 : "";
    }
    if (s.status == Status::optimal && result.bound != result.value) {
      return goal_line(result) + ": optimal with a gap";
    }
  }
  return "";
}

}  // namespace

SolveOptions options_for(const Instance& instance) {
  SolveOptions options;
  options.objective = instance.objective;
  options.row_model = instance.row_model;
  options.threads = 1;
  return options;
}

std::string false_claim(const Instance& i, const Solution& s, bool provable) {
  const bool found = s.status == Status::optimal || s.status == Status::feasible;
  if (found != s.mapping.has_value()) return status_name(s.status) + " and mapping disagree";
  if (found != s.metrics.has_value()) return status_name(s.status) + " and metrics disagree";
  if (s.status == Status::infeasible && s.reason.empty()) return "infeasible without a reason";
  const bool decided = s.status == Status::optimal || s.status == Status::infeasible;
  if (decided && provable && s.method == Method::exact) {
    const std::string objection = unproven(i, s);
    if (!objection.empty()) return status_name(s.status) + ", but " + objection;
  }
  if (!found) return "";
  const Mapping& m = *s.mapping;
  const std::string mapping = " for " + write(m, i.architecture).dump();
  const std::string rule = oracle::broken_rule(i.architecture, i.workload, m);
  if (!rule.empty()) return "rule " + rule + " broken" + mapping;
  const oracle::Cost cost = oracle::CostOracle(i.architecture, i.workload, i.row_model).evaluate(m);
  const std::string difference =
      oracle::first_difference(i.architecture, i.workload, m, cost, *s.metrics);
  if (!difference.empty()) return difference + mapping;
  if (s.goals.size() != i.objective.goals.size()) return "not one result per goal";
  for (std::size_t g = 0; g < s.goals.size(); ++g) {
    if (s.goals[g].goal != i.objective.goals[g]) return "goals in another order";
    const std::string wrong = false_goal(i, s.goals[g], cost);
    if (!wrong.empty()) return wrong + mapping;
  }
  return "";
}

std::string complaint(const Instance& i, const Solution& s, const oracle::Optimum& optimum,
                      bool limited, bool provable) {
  const std::string claim = false_claim(i, s, provable);
  if (!claim.empty()) return claim;
  const bool feasible = optimum.mappings > 0;
  const bool decided = s.status == Status::optimal || s.status == Status::infeasible;
  if (!decided && !limited) return status_name(s.status) + " without a limit";
  if (s.status == Status::infeasible && feasible) {
    return "infeasible, but there are " + std::to_string(optimum.mappings) + " mappings";
  }
  if (s.mapping && !feasible) return "the exhaustive search found no mapping";
  return s.mapping ? false_bound(s, optimum) : "";
}

}  // namespace testkit
