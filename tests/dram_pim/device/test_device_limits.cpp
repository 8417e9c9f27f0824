// Caps on goals of a device, and what is known of it when a search ends early.
#include <doctest/doctest.h>

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
