// Solutions as claims.
#include "cim/cli/verdict.hpp"

#include <fmt/format.h>

#include <array>

#include "terminal/claim.hpp"
#include "terminal/format.hpp"

namespace pimbb::cim::cli {
namespace {

Claim claim_of(const Solution& solution) {
  Claim claim{solution.status, {}, solution.reason, "", ""};
  for (const GoalResult& goal : solution.goals) {
    claim.goals.push_back({fmt::format("{} {}", name(goal.goal), with_unit(goal.goal, goal.value)),
                           goal.bound, goal.gap(), goal.value == goal.bound});
  }
  return claim;
}

}  // namespace

const char* unit_suffix(Goal goal) {
  static constexpr std::array<const char*, kGoalNames.size()> kUnits{" cycles", " nJ", " nJ*cycles",
                                                                     ""};
  return kUnits[static_cast<std::size_t>(goal)];
}

std::string with_unit(Goal goal, const Rational& value) {
  return number(value) + unit_suffix(goal);
}

std::string verdict(const Style& style, const Question& question, const Solution& solution,
                    bool interrupted) {
  Claim claim = claim_of(solution);
  if (question.is_restricted()) claim.within = " within this space";
  claim.stopped = question.pricing.semantics == Semantics::simulator ? "best found" : "limit hit";
  if (question.method == Method::greedy) claim.stopped = "greedy, not proven";
  if (interrupted) claim.stopped = "interrupted";
  return terminal::verdict(style, claim);
}

std::string proof_cell(const Style& style, const Solution& solution) {
  return terminal::proof_cell(style, claim_of(solution));
}

std::string effort(const Solution& solution, bool timeless) {
  const auto count = [](std::uint64_t n) { return number(static_cast<std::int64_t>(n)); };
  const std::string work =
      fmt::format("{} of {} searched, {}", count(solution.solved),
                  plural(static_cast<std::int64_t>(solution.schemes), "scheme"),
                  plural(static_cast<std::int64_t>(solution.labels), "label"));
  return terminal::effort_text(work, solution.seconds, solution.threads, timeless);
}

void log_solution(Log& log, const std::string& event, const Solution& solution) {
  if (!log.wanted()) return;
  files::Json fields = files::Json::object();
  fields["status"] = name(solution.status);
  if (!solution.reason.empty()) fields["reason"] = solution.reason;
  fields["goals"] = files::Json::array();
  for (const GoalResult& result : solution.goals) {
    files::Json goal = files::Json::object();
    goal["goal"] = name(result.goal);
    if (solution.mapping) goal["value"] = result.value.to_double();
    if (solution.status != Status::infeasible) goal["bound"] = result.bound.to_double();
    if (solution.mapping) goal["gap"] = result.gap().to_double();
    fields["goals"].push_back(std::move(goal));
  }
  fields["schemes"] = solution.schemes;
  fields["nodes"] = solution.labels;
  fields["memory"] = solution.memory;
  if (!log.timeless()) {
    fields["seconds"] = solution.seconds;
    fields["threads"] = solution.threads;
  }
  log.result(event, fields);
}

}  // namespace pimbb::cim::cli
