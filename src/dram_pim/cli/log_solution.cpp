// Goals with value, bound and gap.
#include "dram_pim/cli/log_solution.hpp"

namespace pimbb::dram_pim::cli {

files::Json goals_json(const std::vector<GoalResult>& results, Status status) {
  const bool solved = status == Status::optimal || status == Status::feasible;
  files::Json goals = files::Json::array();
  for (const GoalResult& result : results) {
    files::Json goal = files::Json::object();
    goal["goal"] = name(result.goal);
    if (solved) goal["value"] = result.value.to_double();
    if (status != Status::infeasible) goal["bound"] = result.bound.to_double();
    if (solved) goal["gap"] = result.gap().to_double();
    goals.push_back(std::move(goal));
  }
  return goals;
}

void log_solution(Log& log, const std::string& event, const Solution& solution) {
  if (!log.wanted()) return;
  files::Json fields = files::Json::object();
  fields["status"] = name(solution.status);
  if (!solution.reason.empty()) fields["reason"] = solution.reason;
  fields["goals"] = goals_json(solution.goals, solution.status);
  fields["nodes"] = solution.nodes;
  fields["leaves"] = solution.leaves;
  fields["memory"] = solution.memory;
  if (!log.timeless()) {
    fields["seconds"] = solution.seconds;
    fields["threads"] = solution.threads;
  }
  log.result(event, fields);
}

}  // namespace pimbb::dram_pim::cli
