// Dominance: labels with the same completion, followed to the end.
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <type_traits>
#include <vector>

#include "cim/mapper/label.hpp"
#include "cim/mapper/target.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;
using namespace pimbb::cim::mapper;

namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::int64_t number(std::int64_t from, std::int64_t to) {
    return from + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(to - from + 1));
  }

 private:
  std::mt19937_64 random_;
};

TensorTimes random_times(Draw& draw) {
  TensorTimes times{};
  for (Time& time : times) time = draw.number(0, 12);
  return times;
}

std::vector<LoopStep> random_completion(Draw& draw) {
  std::vector<LoopStep> steps(static_cast<std::size_t>(draw.number(0, 3)));
  for (LoopStep& step : steps) {
    step.factor = draw.number(2, 4);
    for (std::size_t t = 0; t < kTensors; ++t) {
      if (draw.number(0, 1) == 0) continue;
      step.move[t] = draw.number(1, 9);
      step.hidden[t] = draw.number(0, 1) == 0;
    }
  }
  return steps;
}

/// The least that may be known ahead of these loops.
Ahead ahead_of(const std::vector<LoopStep>& steps) {
  Ahead ahead;
  if (steps.empty()) return ahead;
  std::int64_t smallest = 4;
  for (const LoopStep& step : steps) {
    ahead.left *= step.factor;
    smallest = std::min(smallest, step.factor);
  }
  ahead.after_next = ahead.left / smallest;
  ahead.repeats = smallest - 1;
  for (const Tensor t : kAllTensors) {
    if (!steps[0].hidden[index(t)]) continue;
    ahead.hidden = std::max(ahead.hidden, cost::ways(t) * steps[0].move[index(t)]);
  }
  return ahead;
}

template <class Rule>
Time completed(TensorTimes times, const std::vector<LoopStep>& steps, const PerTensor<Time>& boot) {
  for (const LoopStep& step : steps) Rule::extend(times, step);
  return Rule::latency(times, boot);
}

template <class Rule>
void check_delays(std::uint64_t offset) {
  const std::size_t count = testkit::cases(200'000);
  const std::uint64_t first = testkit::first_seed(1) + offset;
  std::size_t earlier = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Draw draw(seed);
    const TensorTimes x = random_times(draw);
    TensorTimes y = random_times(draw);
    if (seed % 2 == 0) {  // close to each other
      for (std::size_t k = 0; k < kTimes; ++k) y[k] = x[k] + draw.number(0, 3) - 1;
    }
    const std::vector<LoopStep> steps = random_completion(draw);
    PerTensor<Time> boot{};
    for (Time& time : boot) time = draw.number(0, 1) * draw.number(0, 9);
    const Delay found = Rule::delay(x, y, ahead_of(steps));
    const Time delay = found.each * found.loops;
    const Time real = completed<Rule>(x, steps, boot) - completed<Rule>(y, steps, boot);
    if (real <= delay) {
      earlier += delay < 0 ? 1 : 0;
      continue;
    }
    CAPTURE(seed);
    REQUIRE(real <= delay);
  }
  CHECK((earlier > 0 || !std::is_same_v<Rule, Recursion>));
}

}  // namespace

TEST_CASE("no completion ends later than dominance assumes: recursion") {
  check_delays<Recursion>(0);
}

TEST_CASE("no completion ends later than dominance assumes: table3") {
  check_delays<Table3>(10'000'000);
}

// The bound is attained where nothing moves any more and the body takes longer than each tensor.
TEST_CASE("the bound of table3 is what products alone still take") {
  for (const std::int64_t left : {1, 2, 3, 8}) {
    CAPTURE(left);
    TensorTimes times{4, 3, 5, 6, 0};
    const Time bound = Table3::bound(times, {.left = left});
    CHECK(bound == 5 + (left - 1) * 6);
    if (left > 1) Table3::extend(times, {.factor = left});
    CHECK(Table3::latency(times, {}) == bound);
  }
  CHECK(Table3::bound({9, 3, 5, 6, 0}, {}) == 9);
  CHECK(Table3::bound({4, 9, 5, 6, 0}, {}) == 9);
}

TEST_CASE("energy pays for a delay by the time that it is worth") {
  const Exchange nothing;
  CHECK(nothing.pays(0, 1, 0));
  CHECK(nothing.pays(-3, 2, 0));
  CHECK(!nothing.pays(-3, 2, -1));
  CHECK(!nothing.pays(1, 1, 1000));
  const Exchange exchange{.most = 3, .least = 2};
  CHECK(exchange.pays(2, 5, 30));
  CHECK(!exchange.pays(2, 5, 29));
  CHECK(!exchange.pays(0, 5, -1));
  CHECK(exchange.pays(-2, 5, -20));
  CHECK(!exchange.pays(-2, 5, -21));
}

TEST_CASE("limits on goals are exact beyond 128 bits") {
  Architecture a;
  a.levels.resize(1);
  a.levels[0].name = "DRAM";
  a.levels[0].stores = {true, true, true};
  a.levels[0].bandwidth = 1;
  const cost::Units units(a);
  const Int128 total = (Int128{1} << 123) + 1;  // times 32: 2^128 + 32
  Question question;
  question.objective.goals = {Goal::edp};
  const Rational value =
      Target(units, question, Goal::edp).unscaled(Wide::product(Int128{32}, total));
  question.caps = {{Goal::edp, value}};
  CHECK(Target(units, question, Goal::edp).keeps_caps(32, total));
  CHECK(!Target(units, question, Goal::edp).keeps_caps(32, total + 1));
  question.caps = {{Goal::edp, value - Rational(1, 1'000'000'000)}};
  CHECK(!Target(units, question, Goal::edp).keeps_caps(32, total));
}

TEST_CASE("what pays for a delay leaves every goal at most as large") {
  Architecture a;
  a.levels.resize(1);
  a.levels[0].name = "DRAM";
  a.levels[0].stores = {true, true, true};
  const std::size_t count = testkit::cases(100'000);
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t later = 0;
  std::size_t dearer = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Draw draw(seed);
    a.levels[0].bandwidth = draw.number(1, 3);
    a.leakage = Rational(draw.number(0, 3), draw.number(1, 2));
    const cost::Units units(a);
    Question question;
    Objective& objective = question.objective;
    objective.goals = {std::array{Goal::latency, Goal::energy, Goal::edp, Goal::blended}[seed % 4]};
    objective.alpha = Rational(draw.number(0, 5), draw.number(1, 3));
    objective.beta = Rational(draw.number(0, 3), draw.number(1, 3));
    const Target target(units, question, objective.goals[0]);
    const Time latency = draw.number(1, 20);
    const Energy energy = draw.number(1, 60);
    const Time least = draw.number(1, latency);
    const Int128 least_total = units.total(draw.number(1, static_cast<Time>(energy)), least);
    const Wide value = target.value(latency, units.total(energy, latency));
    const Wide cutoff = value + Wide::from(draw.number(1, 200));
    const Exchange exchange = target.exchange(least, least_total, cutoff);
    const Time delay = draw.number(-latency + 1, 10);
    const Energy spared = draw.number(-20, static_cast<Time>(energy));
    if (!exchange.pays(delay, 1, spared)) continue;
    CAPTURE(seed);
    REQUIRE(target.value(latency + delay, units.total(energy - spared, latency + delay)) <= value);
    if (delay > 0) ++later;
    if (spared < 0) ++dearer;
  }
  CHECK(later > 0);
  CHECK(dearer > 0);
}
