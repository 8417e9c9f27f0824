// Caps on goals of a device, and what is known of it when a search ends early.
#include <doctest/doctest.h>

#include "dram_pim/device/split_space.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

/// A layer of 16 inputs of two bytes and 32 outputs on four units whose links are slow.
Device slow_links() {
  return parse_device(
      "{unit: hbm_pim, launch: 10, levels: [{name: unit, count: 4, write_bandwidth: 1/8, "
      "read_bandwidth: 1/2, latency: 3, energy: 2}]}",
      "d.yaml");
}

Workload layer() {
  Workload w;
  w.bounds[index(Dim::C)] = 16;
  w.bounds[index(Dim::K)] = 32;
  return w;
}

Question question(const char* goals, std::vector<GoalCap> caps = {}) {
  Question q;
  q.objective = Objective::parse(goals);
  q.caps = std::move(caps);
  return q;
}

DeviceSolution answer(const Device& device, const Question& q, const Moves& moves = kDefaultMoves,
                      std::optional<std::uint64_t> nodes = {}) {
  return solve(device, layer(), moves, q, {.threads = 1, .node_limit = nodes});
}

}  // namespace

TEST_CASE("limits on goals of a device are kept, and attained") {
  const Device device = slow_links();
  for (const char* goals : {"latency,energy", "energy,latency", "activations,energy"}) {
    CAPTURE(goals);
    const DeviceSolution best = answer(device, question(goals));
    REQUIRE(best.status == Status::optimal);
    const GoalResult& first = best.goals[0];
    const std::string second(name(best.goals[1].goal));
    const DeviceSolution within =
        answer(device, question(second.c_str(), {{first.goal, first.value}}));
    REQUIRE(within.status == Status::optimal);
    CHECK(within.goals[0].value == best.goals[1].value);
    const Rational less = first.value - Rational(1, 1000);
    CHECK(answer(device, question(second.c_str(), {{first.goal, less}})).status ==
          Status::infeasible);
  }
}

TEST_CASE("limits on goals that a device has not are refused") {
  Device device = slow_links();
  CHECK_THROWS_AS(validate(device, question("latency", {{Goal::edp, 100}})), InputError);
  CHECK_NOTHROW(validate(device, question("latency", {{Goal::energy, 100}})));
  device.static_power = 1;
  CHECK_THROWS_AS(validate(device, question("latency", {{Goal::energy, 100}})), InputError);
  CHECK_NOTHROW(validate(device, question("edp", {{Goal::latency, 100}, {Goal::activations, 9}})));
}

TEST_CASE("a search that ends early leaves a bound, which knows the links") {
  const Device device = slow_links();
  for (const char* goals : {"latency", "energy", "edp"}) {
    for (const Moves& moves : {Moves{true, false, false}, Moves{false, true, false},
                               Moves{false, false, true}, kDefaultMoves}) {
      CAPTURE(goals);
      CAPTURE(moves);
      const DeviceSolution best = answer(device, question(goals), moves);
      REQUIRE(best.status == Status::optimal);
      const DeviceSolution cut = answer(device, question(goals), moves, 0);
      REQUIRE(cut.goals.size() == 1);
      CHECK(cut.goals[0].bound <= best.goals[0].value);
      if (cut.status == Status::optimal) CHECK(cut.goals[0].value == best.goals[0].value);
      // No unit works with less than a quarter of the layer, so that the links have most to do.
      if (goals != std::string("edp")) {
        CHECK(cut.goals[0].bound * 2 > best.goals[0].value);
      }
    }
  }
}

TEST_CASE("a slice lies in a plane of its own; the whole layer in the layer's") {
  Workload w = layer();
  w.bounds[index(Dim::P)] = 4;
  w.input_frame = Frame{6, 7, 1, 1};
  w.output_frame = Frame{5, 9, 0, 2};
  w.padding = Padding::parse("K=4", "pad");
  CHECK(slice_of(w, w.bounds).input_frame.has_value());
  CHECK(slice_of(w, w.bounds).output_frame.has_value());
  CHECK_FALSE(slice_of(w, w.bounds).padding.has_value());
  Factors smaller = w.bounds;
  smaller[index(Dim::P)] = 2;
  CHECK_FALSE(slice_of(w, smaller).input_frame.has_value());
  CHECK_FALSE(slice_of(w, smaller).output_frame.has_value());
}

TEST_CASE("splits that slow links forbid are not priced") {
  const Device device = slow_links();
  Workload w = layer();
  w.bounds = kOnes;
  w.bounds[index(Dim::P)] = 16;
  w.bounds[index(Dim::K)] = 32;
  w.bounds[index(Dim::C)] = 4;
  const Moves inputs{true, false, false};
  const device::SplitSpace space(device, w, inputs);
  std::size_t all = 0;
  space.for_each_slice([&](const Factors& slice, std::int64_t) {
    all += space.splits(slice).size();
    return true;
  });
  const DeviceSolution best = solve(device, w, inputs, question("latency"), {.threads = 1});
  CHECK(best.status == Status::optimal);
  CHECK(best.splits < all);
}

namespace {

/// Where nothing but MACs costs energy.
Device frugal(const Rational& mac_energy) {
  Device device = slow_links();
  device.levels[0].energy = 0;
  device.levels[0].count = 3;
  for (MemoryLevel& level : device.unit.levels) level.access_cost = 0;
  device.unit.activation_energy = 0;
  device.unit.pe_array.mac_energy = mac_energy;
  return device;
}

}  // namespace

TEST_CASE("without energy every product is 0, and the latency decides") {
  Device device = frugal(0);
  device.levels[0].write_bandwidth.reset();
  device.levels[0].read_bandwidth.reset();
  const DeviceSolution both = answer(device, question("edp,latency"));
  REQUIRE(both.status == Status::optimal);
  CHECK(both.goals[0].value == 0);
  CHECK(both.goals[1].value == answer(device, question("latency")).goals[0].value);
  CHECK(both.metrics->split.units == 3);  // all of them are faster than one
}

TEST_CASE("a slice whose least energy is rounded down to 0") {
  Device device = frugal(Rational(1, 3));
  device.launch = 0;
  Workload w;
  w.bounds[index(Dim::K)] = 3;
  const Moves none{};
  std::optional<Rational> least;
  for (const std::int64_t share : {1, 2, 3}) {
    Factors bounds = kOnes;
    bounds[index(Dim::K)] = share;
    Question one = question("edp");
    const Solution s = solve(device.unit, slice_of(w, bounds), one);
    const Rational value = s.goals[0].value * ((3 + share - 1) / share);
    if (!least || value < *least) least = value;
  }
  const DeviceSolution s = solve(device, w, none, question("edp"), {.threads = 1});
  REQUIRE(s.status == Status::optimal);
  CHECK(s.goals[0].value == *least);
}
