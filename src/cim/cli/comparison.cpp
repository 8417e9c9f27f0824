// Goals of two solutions, one against the other.
#include "cim/cli/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cim/cli/verdict.hpp"
#include "cim/io/result_json.hpp"

namespace pimbb::cim::cli {
Rational ratio_of(const Rational& value, const Rational& optimum) {
  return optimum.sign() == 0 ? Rational(1) : value / optimum;
}

std::optional<Solution> solve_whole_space(const Architecture& architecture,
                                          const Workload& workload, const Question& question,
                                          const RunLimits& limits, const Solution& spent) {
  if (!question.is_restricted() || !spent.mapping) return std::nullopt;
  RunLimits left = limits;
  if (left.time_limit) left.time_limit = std::max(0.0, *left.time_limit - spent.seconds);
  return solve(architecture, workload, question.unrestricted(), left);
}

std::string comparison_text(const Style& style, const Solution& restricted, const Solution& whole) {
  std::string text;
  if (!whole.mapping)
    return style.warning("not compared") + ": the search of the whole space did not end\n";
  const char* what = whole.status == Status::optimal ? "the optimum" : "the best mapping found,";
  for (std::size_t g = 0; g < restricted.goals.size(); ++g) {
    const GoalResult& own = restricted.goals[g];
    const GoalResult& best = whole.goals[g];
    text += fmt::format("{} {:.4f} times {} {}\n", name(own.goal),
                        ratio_of(own.value, best.value).to_double(), what,
                        with_unit(best.goal, best.value));
  }
  return text;
}

files::Json comparison_json(const Objective& objective, const Solution& restricted,
                            const Solution& whole) {
  files::Json json = files::Json::object();
  json["status"] = std::string(name(whole.status));
  json["goals"] = files::Json::array();
  for (std::size_t g = 0; g < whole.goals.size(); ++g) {
    files::Json goal = io::goal_json(objective, whole.goals[g], whole.mapping.has_value());
    if (whole.mapping) {
      goal["ratio"] = ratio_of(restricted.goals[g].value, whole.goals[g].value).to_double();
    }
    json["goals"].push_back(std::move(goal));
  }
  return json;
}

}  // namespace pimbb::cim::cli
