// Hints that a padding would help: true, worth something, and only where bounds divide badly.
#include <doctest/doctest.h>

#include "exact/factors.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

/// A product of matrices whose bounds are of all kinds.
Workload random_product(std::uint64_t seed) {
  constexpr std::array<std::int64_t, 8> kBounds{1, 8, 11, 13, 16, 29, 49, 101};
  Workload layer;
  const auto choose = [&] {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return kBounds[seed >> 61U];
  };
  for (const Dim d : {Dim::P, Dim::C, Dim::K}) layer.bounds[index(d)] = choose();
  return layer;
}

Question question_about(Goal goal) {
  Question question;
  question.objective.goals = {goal};
  return question;
}

}  // namespace

TEST_CASE("hints are attained by mappings of the padded bounds, and worth a twentieth") {
  const Architecture a = testkit::simple_pim();
  std::size_t hints = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(60); ++seed) {
    const Workload layer = random_product(testkit::first_seed(64'000'000) + seed);
    CAPTURE(seed);
    for (const Goal goal : {Goal::latency, Goal::energy, Goal::edp}) {
      const Question question = question_about(goal);
      const Solution solution = solve_padded(a, layer, question);
      const auto hint = padding_hint(a, layer, question, solution);
      if (!hint) continue;
      ++hints;
      CHECK(hint->value * 20 <= solution.goals.front().value * 19);
      for (const Dim d : kAllDims) {
        const std::int64_t bound = layer.bound(d);
        const std::int64_t padded = hint->bounds[index(d)];
        CHECK(padded >= bound);
        CHECK(padded <= bound + bound / 8);
        if (padded > bound) CHECK(prime_factors_of(bound).back() > 7);
      }
      const Solution best = solve(a, with_bounds(layer, hint->bounds), question);
      CHECK(best.goals.front().value <= hint->value);
    }
  }
  CHECK((hints > 0 || testkit::slow_build()));
}

TEST_CASE("197 tokens: a fourth of the latency with one more") {
  const Architecture a = testkit::simple_pim();
  Workload layer;
  layer.bounds[index(Dim::P)] = 197;
  layer.bounds[index(Dim::C)] = 768;
  layer.bounds[index(Dim::K)] = 2304;
  const Question question = question_about(Goal::latency);
  const Solution solution = solve_padded(a, layer, question);
  const auto hint = padding_hint(a, layer, question, solution);
  REQUIRE(hint);
  CHECK(hint->bounds[index(Dim::P)] == 198);
  CHECK(hint->value * 3 < solution.goals.front().value);
  CHECK(hint->value == solve(a, with_bounds(layer, hint->bounds), question).goals[0].value);
}

TEST_CASE("no hint where there is a padding, a limit, or no mapping") {
  const Architecture a = testkit::simple_pim();
  Workload layer;
  layer.bounds[index(Dim::P)] = 197;
  layer.bounds[index(Dim::K)] = 64;
  Question question = question_about(Goal::latency);
  const Solution solution = solve_padded(a, layer, question);
  REQUIRE(padding_hint(a, layer, question, solution));
  CHECK(!padding_hint(a, layer, question, Solution{}));

  Workload padded = layer;
  padded.padding = Padding::parse("1%", "pad");
  CHECK(!padding_hint(a, padded, question, solution));

  question.caps = {{Goal::energy, solution.metrics->energy}};
  CHECK(!padding_hint(a, layer, question, solution));
  question.caps.clear();
  question.method = Method::ws;
  CHECK(!padding_hint(a, layer, question, solution));

  Workload smooth = layer;
  smooth.bounds[index(Dim::P)] = 196;
  CHECK(!padding_hint(a, smooth, question_about(Goal::latency),
                      solve_padded(a, smooth, question_about(Goal::latency))));
}
