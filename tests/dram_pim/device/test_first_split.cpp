// The mapping of a device that is known at once, and the bound that needs no list of slices.
#include <doctest/doctest.h>

#include <cmath>

#include "dram_pim/device/first_split.hpp"
#include "dram_pim/device/random_device.hpp"
#include "dram_pim/device/solve_within.hpp"
#include "dram_pim/device/split_space.hpp"
#include "dram_pim/slices/cost_floor.hpp"
#include "pimbb/dram_pim/device_network.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/io.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::DeviceInstance;

namespace {

constexpr std::array<const char*, 6> kGoalsAtOnce{
    "latency", "energy", "edp", "blended", "activations,latency", "energy,latency"};

Question asked_at_once(const DeviceInstance& i) {
  Question question;
  question.objective = i.objective;
  question.row_model = i.row_model;
  return question;
}

/// Limits that are over before anything begins.
RunLimits without_time(std::stop_source& interrupt, bool interrupted) {
  RunLimits limits{.threads = 1};
  if (interrupted) {
    interrupt.request_stop();
    limits.stop = interrupt.get_token();
  } else {
    limits.time_limit = 0;
  }
  return limits;
}

}  // namespace

TEST_CASE("without any time a device has a mapping and a bound, and lists no slices") {
  double logs = 0;
  std::size_t mapped = 0;
  for (std::uint64_t seed = 70000; seed < 70000 + testkit::cases(200); ++seed) {
    CAPTURE(seed);
    DeviceInstance i = testkit::random_device_instance(seed, {.macs = 36});
    testkit::set_goals(i.objective, kGoalsAtOnce.at(seed % kGoalsAtOnce.size()));
    if (seed % 3 == 0) i.device.phases = Phases::overlapped;
    if (seed % 5 == 0) i.layer.padding = Padding::parse("P=1,K=50%", "pad");
    const DeviceSolution best = solve(i.device, i.layer, i.moves, asked_at_once(i), {.threads = 1});
    std::stop_source interrupt;
    const DeviceSolution cut =
        solve(i.device, i.layer, i.moves, asked_at_once(i), without_time(interrupt, seed % 2 == 0));
    if (!best.mapping) {
      CHECK(!cut.mapping);
      continue;
    }
    const Rational& optimum = best.goals[0].value;
    REQUIRE(!cut.goals.empty());
    CHECK(cut.goals[0].bound <= optimum);
    if (!cut.mapping) continue;
    ++mapped;
    CHECK(cut.slices == 0);
    CHECK(cut.nodes == 0);
    CHECK(find_violation(i.device, i.layer, i.moves, *cut.mapping) == "");
    CHECK(cut.goals[0].value >= optimum);
    if (optimum.sign() > 0) logs += std::log((cut.goals[0].value / optimum).to_double());
  }
  REQUIRE(mapped > 0);
  CHECK(std::exp(logs / static_cast<double>(mapped)) < 1.2);
}

TEST_CASE("the first split is among those that are priced, and there are few of these") {
  for (std::uint64_t seed = 71000; seed < 71000 + testkit::cases(200); ++seed) {
    CAPTURE(seed);
    const DeviceInstance i = testkit::random_device_instance(seed);
    constexpr std::size_t kMost = 12;
    std::size_t calls = 0;
    std::optional<Rational> least;
    // Slices with an even K only, and of those the ones with many input elements.
    const auto price = [&](const Split& split, const Factors& slice) {
      CHECK(split_violation(i.device, i.layer, i.moves, split, slice) == "");
      const Rational value = Rational(1) / i.layer.tile_elements(Tensor::input, slice);
      least = least ? std::min(*least, value) : value;
      return value;
    };
    const auto even = [&](const Factors& slice) {
      ++calls;
      return slice[index(Dim::K)] % 2 == 0;
    };
    const auto first = device::first_split(i.device, i.layer, i.moves, price, even, kMost);
    CHECK(calls <= kMost);
    REQUIRE(first.has_value() == least.has_value());
    if (!first) continue;
    CHECK(first->slice == least_slice(i.layer.bounds, first->split));
    CHECK(first->slice[index(Dim::K)] % 2 == 0);
    CHECK(Rational(1) / i.layer.tile_elements(Tensor::input, first->slice) == *least);
  }
}

TEST_CASE("what all slices of a layer have in common is no more than any of them costs") {
  std::size_t sharp = 0;
  for (std::uint64_t seed = 72000; seed < 72000 + testkit::cases(60); ++seed) {
    CAPTURE(seed);
    DeviceInstance i = testkit::random_device_instance(seed, {.macs = 24});
    if (seed % 2 == 0) i.layer.stride_w = 3;
    if (seed % 3 == 0) i.layer.dilation_w = 2;
    const slices::CostFloor floor(i.device.unit, slice_of(i.layer, i.layer.bounds), i.row_model);
    const GoalCosts parts = floor.unscaled(floor.of_parts(i.layer.bounds));
    const device::SplitSpace space(i.device, i.layer, i.moves);
    space.for_each_slice([&](const Factors& bounds, std::int64_t) {
      const std::vector<Split> splits = space.splits(bounds);
      std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
      for (const Split& split : splits) {
        std::int64_t children = 1;
        for (const Factors& factors : split) children *= product(factors);
        fewest = std::min(fewest, children);
      }
      Question question;
      question.row_model = i.row_model;
      const auto least = [&](const char* goal) -> std::optional<Rational> {
        question.objective = Objective::parse(goal);
        const Solution s =
            solve(i.device.unit, slice_of(i.layer, bounds), question, {.threads = 1});
        if (!s.mapping) return std::nullopt;
        return s.goals[0].value;
      };
      const auto latency = least("latency");
      if (!latency) return true;
      CHECK(parts.latency <= fewest * *latency);
      CHECK(parts.energy <= fewest * *least("energy"));
      CHECK(parts.activations <= fewest * *least("activations"));
      if (parts.latency * 2 > fewest * *latency) ++sharp;
      const Int128 most = floor.most_macs(floor.scale().scaled_latency(*latency));
      CHECK(most >= Int128{slice_of(i.layer, bounds).macs()});
      return true;
    });
  }
  CHECK(sharp > 0);
}

TEST_CASE(
    "a network on 512 units without any time: every layer has a mapping, no slice is listed") {
  Device device = read_device("hbm_pim_stack");
  device.levels.back().count = 64;
  const Network network = read_network("resnet18");
  for (const char* goals : {"latency", "energy", "edp"}) {
    for (const Handover handover : {Handover::host, Handover::stay}) {
      CAPTURE(goals);
      Question question;
      question.objective = Objective::parse(goals);
      std::stop_source interrupt;
      const DeviceNetworkSolution cut =
          solve_network(device, network, question,
                        without_time(interrupt, handover == Handover::stay), {}, false, handover);
      CHECK(cut.status == Status::feasible);
      REQUIRE(!cut.layers.empty());
      CHECK(cut.effort.nodes == 0);
      for (const DeviceLayerSolution& layer : cut.layers) {
        REQUIRE(layer.solution.mapping.has_value());
        CHECK(layer.solution.slices == 0);
        CHECK(find_violation(device, layer.workload, layer.moves, *layer.solution.mapping) == "");
        CHECK(layer.solution.goals[0].bound > 0);
      }
    }
  }
}
