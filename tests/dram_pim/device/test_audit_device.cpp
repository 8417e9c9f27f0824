// Given mappings onto devices against the proven optimum.
#include <doctest/doctest.h>

#include "dram_pim/device/random_device.hpp"
#include "pimbb/dram_pim/device_audit.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::DeviceInstance;

namespace {

Question about(const DeviceInstance& i, std::vector<Goal> goals) {
  Question question;
  question.objective = i.objective;
  question.objective.goals = std::move(goals);
  question.row_model = i.row_model;
  return question;
}

}  // namespace

TEST_CASE("audits of devices: optima of one goal under the other") {
  std::size_t worse = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(60); ++seed) {
    const DeviceInstance i =
        testkit::random_device_instance(testkit::first_seed(47'000'000) + seed);
    CAPTURE(seed);
    for (const Goal wanted : {Goal::latency, Goal::energy}) {
      const DeviceSolution given = solve(i.device, i.layer, i.moves, about(i, {wanted}));
      if (!given.mapping) continue;
      for (const Goal goal : {Goal::latency, Goal::energy, Goal::activations}) {
        const Question question = about(i, {goal});
        const DeviceAudit found = audit(i.device, i.layer, i.moves, *given.mapping, question);
        const Rational optimum = solve(i.device, i.layer, i.moves, question).goals[0].value;
        const Rational value = question.objective.value(goal, found.metrics.costs());
        REQUIRE(found.certified());
        REQUIRE(found.goals.size() == 1);
        CHECK(found.goals[0].value == value);
        CHECK(found.goals[0].best == optimum);
        CHECK(found.goals[0].bound == optimum);
        CHECK((found.standing == Standing::optimal) == (value == optimum));
        CHECK((found.standing == Standing::not_optimal) == (value > optimum));
        worse += value > optimum ? 1 : 0;
      }
    }
  }
  CHECK((worse > 0 || testkit::slow_build()));
}

TEST_CASE("audits of devices: slices larger than the padding allows are refused") {
  DeviceInstance i = testkit::random_device_instance(47'000'001);
  const Question question = about(i, {Goal::latency});
  const DeviceSolution given = solve(i.device, i.layer, i.moves, question);
  REQUIRE(given.mapping);
  DeviceMapping larger = *given.mapping;
  larger.slice[index(Dim::K)] += 1;
  const Workload slice = slice_of(i.layer, larger.slice);
  larger.mapping = *solve(i.device.unit, slice, question).mapping;
  REQUIRE(find_violation(i.device, i.layer, i.moves, larger) == "");
  CHECK_THROWS_WITH_AS(static_cast<void>(audit(i.device, i.layer, i.moves, larger, question)),
                       doctest::Contains("slice: found K = "), InputError);
  i.layer.padding = Padding::parse("K=1", "pad");
  CHECK(audit(i.device, i.layer, i.moves, larger, question).certified());
}

TEST_CASE("audits of devices: a mapping that breaks a rule is refused") {
  const DeviceInstance i = testkit::random_device_instance(47'000'001);
  const Question question = about(i, {Goal::latency});
  DeviceMapping broken = *solve(i.device, i.layer, i.moves, question).mapping;
  broken.split.emplace_back(kOnes);
  CHECK_THROWS_AS(static_cast<void>(audit(i.device, i.layer, i.moves, broken, question)),
                  InputError);
}
