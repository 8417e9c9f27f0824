// Doubling, bisection, and the needs of the solutions found on the way.
#include "answers/size_steps.hpp"

#include <algorithm>

namespace pimbb::answers {

NextStep next_larger(SizedProblem& problem, std::int64_t size, const Rational& value,
                     std::int64_t most) {
  NextStep step{NextStep::Reason::none, size, std::nullopt, std::nullopt};
  // No step as far as step.at; doubling until something costs less.
  SizedProblem::Optimum better;
  while (!better.value) {
    if (step.at >= most) return step;
    const std::int64_t at = step.at > most / 2 ? most : std::max(step.at + 1, 2 * step.at);
    better = problem.best(at, value);
    if (better.stopped) {
      step.reason = NextStep::Reason::open;
      return step;
    }
    if (!better.value) step.at = at;
  }
  while (better.need > step.at + 1) {
    const std::int64_t middle = step.at + (better.need - step.at) / 2;
    const SizedProblem::Optimum found = problem.best(middle, value);
    if (found.stopped) {
      step.reason = NextStep::Reason::open;
      return step;
    }
    if (found.value) {
      better = found;
    } else {
      step.at = middle;
    }
  }
  return {NextStep::Reason::step, better.need, better.value, better.solution};
}

NextStep next_smaller(SizedProblem& problem, const Rational& value, std::int64_t need,
                      std::int64_t least) {
  // Sizes from `need` up are as good; `worse` is the greatest one known that is not.
  std::optional<std::int64_t> worse;
  SizedProblem::Optimum at_worse;
  bool just_below = true;
  while (need > least && (!worse || *worse + 1 < need)) {
    const std::int64_t low = worse ? *worse : least - 1;
    // What needs a little less is likely to be worse, and then this was the last question.
    const std::int64_t at = just_below ? need - 1 : low + (need - low) / 2;
    just_below = !just_below;
    const SizedProblem::Optimum found = problem.best(at, std::nullopt);
    if (found.stopped) return {NextStep::Reason::open, need, std::nullopt, std::nullopt};
    if (found.value && *found.value <= value) {
      need = std::max(found.need, least);
    } else {
      worse = at;
      at_worse = found;
    }
  }
  if (!worse) return {NextStep::Reason::none, least, std::nullopt, std::nullopt};
  NextStep step{NextStep::Reason::step, *worse, at_worse.value, std::nullopt};
  if (at_worse.value) step.solution = at_worse.solution;
  return step;
}

std::vector<SizeStep> steps_between(SizedProblem& problem, std::int64_t least, std::int64_t most) {
  std::vector<SizeStep> steps;
  for (std::int64_t to = most; to >= least;) {
    const SizedProblem::Optimum found = problem.best(to, std::nullopt);
    if (found.stopped) break;
    const std::int64_t from = found.value ? std::max(found.need, least) : least;
    // Another solution of the same cost that needs less continues the step.
    if (!steps.empty() && found.value && steps.back().value == found.value) {
      steps.back().from = from;
      steps.back().solution = found.solution;
    } else {
      SizeStep& step = steps.emplace_back(SizeStep{from, to, found.value, std::nullopt});
      if (found.value) step.solution = found.solution;
    }
    to = from - 1;
  }
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace pimbb::answers
