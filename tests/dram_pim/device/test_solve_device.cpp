// The solver against every split, every slice and every mapping of tiny problems.
#include <doctest/doctest.h>

#include "dram_pim/device/exhaust_device.hpp"
#include "dram_pim/device/random_device.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;
using testkit::DeviceInstance;

namespace {

Question question_of(const DeviceInstance& i) {
  Question question;
  question.objective = i.objective;
  question.row_model = i.row_model;
  return question;
}

void check_optimum(const DeviceInstance& i) {
  CAPTURE(i.objective.to_string());
  const DeviceSolution s = solve(i.device, i.layer, i.moves, question_of(i), {.threads = 1});
  const std::vector<Fraction> expected = exhaust::least_on_device(i);
  REQUIRE(s.status == (expected.empty() ? Status::infeasible : Status::optimal));
  if (expected.empty()) {
    CHECK(s.reason != "");
    return;
  }
  CHECK(find_violation(i.device, i.layer, i.moves, *s.mapping) == "");
  const DeviceMetrics m = evaluate(i.device, i.layer, i.moves, *s.mapping, i.row_model);
  REQUIRE(s.goals.size() == expected.size());
  for (std::size_t g = 0; g < expected.size(); ++g) {
    CAPTURE(g);
    CHECK(s.goals[g].value == expected[g].to_rational());
    CHECK(s.goals[g].bound == s.goals[g].value);
    CHECK(i.objective.value(i.objective.goals[g], m.costs()) == s.goals[g].value);
  }
}

}  // namespace

TEST_CASE("devices: the optimum is that of every split, slice and mapping") {
  for (std::uint64_t seed = 1000; seed < 1000 + testkit::cases(300); ++seed) {
    CAPTURE(seed);
    check_optimum(testkit::random_device_instance(seed, {.macs = 16, .levels = 4}));
  }
}

TEST_CASE("devices: every goal, phases that overlap, static power") {
  std::size_t next = 0;
  for (std::uint64_t seed = 5000; seed < 5000 + testkit::cases(300); ++seed) {
    CAPTURE(seed);
    DeviceInstance i = testkit::random_device_instance(seed, {.macs = 16, .levels = 4});
    constexpr std::array<const char*, 8> kChains{"edp",
                                                 "blended",
                                                 "energy,latency",
                                                 "latency,energy,activations",
                                                 "edp,latency",
                                                 "energy,activations",
                                                 "blended,energy,latency",
                                                 "activations,edp"};
    testkit::set_goals(i.objective, kChains.at(next++ % kChains.size()));
    i.device.phases = next % 3 == 0 ? Phases::sequential : Phases::overlapped;
    if (next % 2 == 0) i.device.static_power = Rational(1, 4);
    check_optimum(i);
  }
}

TEST_CASE("devices: slices may be padded") {
  for (std::uint64_t seed = 9000; seed < 9000 + testkit::cases(80); ++seed) {
    CAPTURE(seed);
    DeviceInstance i = testkit::random_device_instance(seed, {.macs = 9, .levels = 4});
    i.layer.padding = Padding::parse(seed % 2 == 0 ? "P=1,K=1" : "C=50%", "pad");
    check_optimum(i);
  }
}

TEST_CASE("devices: the answer does not depend on threads, and limits leave a bound") {
  for (std::uint64_t seed = 12000; seed < 12000 + testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const DeviceInstance i = testkit::random_device_instance(seed, {.macs = 36});
    const DeviceSolution one = solve(i.device, i.layer, i.moves, question_of(i), {.threads = 1});
    const DeviceSolution two = solve(i.device, i.layer, i.moves, question_of(i), {.threads = 2});
    CHECK(one.status == two.status);
    CHECK(one.nodes == two.nodes);
    REQUIRE(one.mapping.has_value() == two.mapping.has_value());
    if (!one.mapping) continue;
    CHECK((one.mapping->mapping == two.mapping->mapping));
    CHECK(one.mapping->slice == two.mapping->slice);
    CHECK(one.mapping->split == two.mapping->split);
    const DeviceSolution cut =
        solve(i.device, i.layer, i.moves, question_of(i), {.threads = 1, .node_limit = 2});
    if (!cut.goals.empty()) CHECK(cut.goals[0].bound <= one.goals[0].value);
    if (cut.mapping) CHECK(cut.goals[0].value >= one.goals[0].value);
  }
}
