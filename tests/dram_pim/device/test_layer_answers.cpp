// Answers about layers that need no search.
#include <doctest/doctest.h>

#include "dram_pim/device/random_device.hpp"
#include "dram_pim/device_network/layer_answers.hpp"
#include "dram_pim/device_network/time_share.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using device_network::LayerAnswers;

namespace {

Objective blend_of(const Rational& alpha, const Rational& beta) {
  Objective objective = Objective::parse("blended");
  objective.alpha = alpha;
  objective.beta = beta;
  return objective;
}

bool same_point(const DeviceSolution& a, const DeviceSolution& b) {
  return a.metrics->latency == b.metrics->latency && a.metrics->energy == b.metrics->energy;
}

}  // namespace

TEST_CASE("a blend between two directions with the same best mapping needs no search") {
  std::size_t inferred = 0;
  std::size_t ends_differ = 0;
  for (std::uint64_t seed = 50000; seed < 50000 + testkit::cases(60); ++seed) {
    CAPTURE(seed);
    const testkit::DeviceInstance i = testkit::random_device_instance(seed);
    Question question;
    question.row_model = i.row_model;
    const RunLimits limits{.threads = 1};
    LayerAnswers answers(i.device, {{&i.layer, i.moves}}, question, limits);
    const auto answer = [&](const Objective& objective) {
      return answers.solve({{0, {}}}, objective).front();
    };
    const DeviceSolution* fastest = answer(Objective::parse("latency"));
    if (!fastest->mapping) continue;
    const DeviceSolution* thriftiest = answer(Objective::parse("energy"));
    const DeviceSolution* fast = answer(blend_of(3, 1));
    const DeviceSolution* middle = answer(blend_of(1, 1));
    const DeviceSolution* thrifty = answer(blend_of(1, 3));
    struct Between {
      Objective objective;
      const DeviceSolution* before;
      const DeviceSolution* after;
    };
    for (const Between& each :
         {Between{blend_of(2, 1), fast, middle}, Between{blend_of(1, 2), middle, thrifty}}) {
      const std::uint64_t leaves = answers.spent().leaves;
      const DeviceSolution* found = answer(each.objective);
      question.objective = each.objective;
      CHECK(found->goals.front().value ==
            solve(i.device, i.layer, i.moves, question, limits).goals.front().value);
      if (!same_point(*each.before, *each.after)) continue;
      CHECK(answers.spent().leaves == leaves);
      CHECK(same_point(*found, *each.before));
      ++inferred;
      if (!same_point(*fastest, *thriftiest)) ++ends_differ;
    }
  }
  CHECK((inferred > 0 || testkit::slow_build()));
  CHECK((ends_differ > 0 || testkit::slow_build()));
}

TEST_CASE("searches of layers share the time that is left") {
  using device_network::time_share;
  CHECK(time_share(12, 1, 3, {}) == 2);  // half of a third
  CHECK(time_share(12, 2, 3, {}) == 4);  // two at a time
  CHECK(time_share(12, 2, 2, {}) == 6);  // the last ones leave half
  CHECK(time_share(0.5, 1, 1, {}) == 0.25);
  CHECK(time_share(12, 1, 3, 5) == 5);  // as long as is wanted,
  CHECK(time_share(12, 1, 3, 1) == 2);
  CHECK(time_share(12, 1, 3, 20) == 12);  // but not longer than all
}

TEST_CASE("another search takes twice the time, or half of what is left") {
  using device_network::time_again;
  CHECK(time_again(12, 1) == 6);
  CHECK(time_again(12, 5) == 10);
  CHECK(time_again(12, 6) == 12);
  CHECK_FALSE(time_again(11, 6));
  CHECK(time_again(0.02, 0) == 0.01);
  CHECK_FALSE(time_again(0.005, 0));
}
