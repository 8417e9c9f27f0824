// Intervals, steps and ranges of tiny networks against trying everything at every value.
#include <doctest/doctest.h>

#include "crossbar/tiny_networks.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using testkit::TinyProblem;

namespace {

void set_figure(Architecture& a, const std::string& path, std::int64_t x) {
  if (path == "chips") a.chips = x;
  if (path == "cores") a.cores = x;
  if (path == "core.crossbars") a.core.crossbars = x;
  if (path == "core.rows") a.core.rows = x;
  if (path == "core.columns") a.core.columns = x;
  if (path == "core.slices") a.core.slices = x;
  if (path == "core.max_nodes") a.core.max_nodes = x;
  if (path == "core.local_memory") a.core.local_memory = x;
  if (path == "bits.activation") a.bits.activation = x;
  if (path == "mvm.time") a.mvm.time = x;
  if (path == "mvm.interval") a.mvm.interval = x;
}

/// Nothing if that is too much to be tried; else the optimum, or nothing if there is none.
std::optional<std::optional<Rational>> tried(const TinyProblem& problem, Goal goal,
                                             const std::string& path, std::int64_t x) {
  TinyProblem at = problem;
  set_figure(at.a, path, x);
  if (at.a.weights_per_row() == 0) return std::optional<Rational>();
  const std::int64_t crossbars = at.a.all_cores() * at.a.core.crossbars;
  const bool memory = at.a.core.enforce_local_memory;
  if (crossbars > (memory ? 9 : 16) || (memory && at.a.all_cores() > 3)) return std::nullopt;
  return testkit::least_by_trying(at, goal == Goal::ll);
}

struct CheckedFigures {
  int optima = 0;
  int values = 0;
  int complete = 0;
  int partial = 0;
};

void check_value(const TinyProblem& at, Goal goal, const FigureSensitivity& figure, std::int64_t x,
                 const std::optional<Rational>& claimed, CheckedFigures& checked) {
  CAPTURE(x);
  const auto optimum = tried(at, goal, figure.path, x);
  if (!optimum) return;
  ++checked.values;
  CHECK(*optimum == claimed);
}

/// From today's value to a step or as far as there is none.
void check_next(const TinyProblem& at, Goal goal, const FigureSensitivity& figure,
                const NextStep& next, const Rational& value, CheckedFigures& checked) {
  const std::int64_t today = *figure.today.in_units(1);
  const std::int64_t way = next.at < today ? -1 : 1;
  const bool is_step = next.reason == NextStep::Reason::step;
  for (std::int64_t x = today; x != next.at && std::abs(x - today) < 12; x += way) {
    check_value(at, goal, figure, x, value, checked);
  }
  CHECK(next.reason != NextStep::Reason::open);
  check_value(at, goal, figure, next.at, is_step ? next.value : std::optional(value), checked);
}

Rational value_with(const TinyProblem& problem, Goal goal, const std::string& path, std::int64_t x,
                    const Mapping& mapping) {
  TinyProblem at = problem;
  set_figure(at.a, path, x);
  const Metrics metrics = evaluate(at.a, make_partition(at.a, at.graph), mapping);
  return goal == Goal::ll ? metrics.latency->ll : Rational(metrics.ht);
}

/// All whole numbers of an interval, and the one beyond it.
void check_stay(const TinyProblem& at, Goal goal, const FigureSensitivity& figure,
                const StayEnd& end, std::int64_t way, const Mapping& mapping,
                CheckedFigures& checked) {
  std::int64_t x = *figure.today.in_units(1);
  const auto is_within = [&](std::int64_t y) {
    return way > 0 ? Rational(y) <= end.proven : Rational(y) >= end.proven;
  };
  for (int k = 0; k < 12 && is_within(x); ++k, x += way) {
    check_value(at, goal, figure, x, value_with(at, goal, figure.path, x, mapping), checked);
  }
  if (is_within(x) || x < 1) return;
  if (end.reason == StayEnd::Reason::beaten) {
    const auto optimum = tried(at, goal, figure.path, x);
    if (optimum) CHECK(**optimum < value_with(at, goal, figure.path, x, mapping));
  }
}

void check_sensitivity(const TinyProblem& at, Goal goal, CheckedFigures& checked) {
  const Sensitivity found = sensitivity(at.a, at.graph, {goal}, {.reach = 4});
  const auto optimum = testkit::least_by_trying(at, goal == Goal::ll);
  if (found.status == SensitivityStatus::partial && !found.is_proven()) return;
  CHECK((found.status == SensitivityStatus::infeasible) == !optimum);
  if (!optimum) return;
  ++checked.optima;
  CHECK(found.value == *optimum);
  CHECK(found.figures.size() == figure_paths(at.a).size());
  for (const FigureSensitivity& figure : found.figures) {
    CAPTURE(figure.path);
    ++(figure.complete ? checked.complete : checked.partial);
    const Mapping& mapping = found.mappings.front().mapping;
    if (figure.down) check_stay(at, goal, figure, *figure.down, -1, mapping, checked);
    if (figure.up) check_stay(at, goal, figure, *figure.up, 1, mapping, checked);
    if (figure.smaller) check_next(at, goal, figure, *figure.smaller, *optimum, checked);
    if (figure.larger) check_next(at, goal, figure, *figure.larger, *optimum, checked);
    for (const SizeStep& step : figure.steps) {
      check_value(at, goal, figure, step.from, step.value, checked);
      check_value(at, goal, figure, step.to, step.value, checked);
    }
    if (!figure.matters) {
      check_value(at, goal, figure, *figure.today.in_units(1) + 1, optimum, checked);
    }
  }
}

void check_range(const TinyProblem& at, Goal goal, const std::string& path,
                 CheckedFigures& checked) {
  CAPTURE(path);
  const SensitivityOptions options{.figures = {path}, .range = FigureRange{1, 7}};
  const Sensitivity found = sensitivity(at.a, at.graph, {goal}, options);
  if (found.status == SensitivityStatus::infeasible) return;
  REQUIRE(found.figures.size() == 1);
  const FigureSensitivity& figure = found.figures.front();
  if (!figure.matters) return;
  if (!at.a.core.enforce_local_memory) CHECK(figure.complete);
  if (!figure.complete) return;
  std::int64_t x = 1;
  for (const SizeStep& step : figure.steps) {
    CHECK(step.from == x);
    for (; x <= step.to; ++x) check_value(at, goal, figure, x, step.value, checked);
  }
  CHECK(x == 8);
}

void run_cases(std::uint64_t from, std::size_t usual, bool memory) {
  CheckedFigures checked;
  const std::uint64_t first = testkit::first_seed(from);
  for (std::uint64_t seed = first; seed < first + testkit::cases(usual); ++seed) {
    CAPTURE(seed);
    testkit::Draw draw(seed);
    TinyProblem at = testkit::tiny_problem(draw);
    if (memory) {
      at.a.core.crossbars = std::min<std::int64_t>(at.a.core.crossbars, 3);
      at.a.cores = std::min<std::int64_t>(at.a.cores, 2);
      at.a.core.enforce_local_memory = true;
      at.a.bits.activation = 8;
      at.a.core.local_memory = static_cast<std::int64_t>(20 + draw() % 80);
    }
    const Goal goal = draw() % 3 == 0 ? Goal::ll : Goal::ht;
    const std::vector<std::string> paths = figure_paths(at.a);
    check_sensitivity(at, goal, checked);
    check_range(at, goal, paths[draw() % paths.size()], checked);
  }
  MESSAGE("optima " << checked.optima << ", values tried " << checked.values
                    << ", figures complete " << checked.complete << ", partial "
                    << checked.partial);
  CHECK((checked.optima > 0 || testkit::slow_build()));
}

}  // namespace

TEST_CASE("sensitivities of tiny networks against trying everything") { run_cases(1, 200, false); }

TEST_CASE("sensitivities with enforced local memory") { run_cases(50'000, 60, true); }
