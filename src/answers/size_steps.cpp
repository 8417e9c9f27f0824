// Growing jumps, bisection, and the needs of the solutions found on the way.
#include "answers/size_steps.hpp"

#include <algorithm>

namespace pimbb::answers {
namespace {

constexpr std::int64_t kMostTimes = std::int64_t{1} << 16;

/// A size between two that are not neighbours: by their ratio while one is a multiple of the other.
std::int64_t middle(std::int64_t low, std::int64_t high) {
  if (low < 1 || high / low < 4) return low + (high - low) / 2;
  std::int64_t times = 2;
  while (times * times <= high / low / 4) times *= 2;
  return low * times;
}

}  // namespace

NextStep next_larger(SizedProblem& problem, std::int64_t size, const Rational& value,
                     std::int64_t most) {
  NextStep step{NextStep::Reason::none, size, std::nullopt, std::nullopt};
  // No step as far as step.at; twice as much, then 4 times, 16 times, ... until something costs
  // less: where nothing does, the large sizes, which take the most time, are few.
  SizedProblem::Optimum better;
  for (std::int64_t times = 2; !better.value; times *= times) {
    if (step.at >= most) return step;
    const bool is_last = times >= kMostTimes || step.at > most / times;
    const std::int64_t at = is_last ? most : std::max(step.at + 1, times * step.at);
    better = problem.best(at, {.below = value});
    if (better.stopped) {
      step.reason = NextStep::Reason::open;
      return step;
    }
    if (!better.value) step.at = at;
  }
  // What needs a little less is likely not to be there, and then this was the last question.
  for (bool just_below = true; better.need > step.at + 1; just_below = !just_below) {
    const std::int64_t at = just_below ? better.need - 1 : middle(step.at, better.need);
    const SizedProblem::Optimum found = problem.best(at, {.below = value, .least = better.value});
    if (found.stopped) {
      step.reason = NextStep::Reason::open;
      return step;
    }
    if (found.value) {
      better = found;
    } else {
      step.at = at;
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
    // Again, what needs a little less is likely to be worse.
    const std::int64_t at = just_below ? need - 1 : low + (need - low) / 2;
    just_below = !just_below;
    const SizedProblem::Optimum found = problem.best(at, {.least = value});
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
    // More is never worse: the next step's optimum is a bound.
    const std::optional<Rational> bound = steps.empty() ? std::nullopt : steps.back().value;
    const SizedProblem::Optimum found = problem.best(to, {.least = bound});
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
