// Networks: totals in exact rationals, limits and interruptions that hold for all layers.
#include <doctest/doctest.h>

#include <stop_token>

#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/network.hpp"
#include "pimbb/error.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::SolveOptions;

namespace {

/// Four small levels; `pe_bytes` below 3 cannot hold one element of each tensor.
Architecture small(std::int64_t pe_bytes = 4) {
  Architecture architecture;
  architecture.pe_array.height = 2;
  architecture.pe_array.mac_energy = Rational(1, 10);
  for (const auto& [name, capacity] : {std::pair{"PE", pe_bytes}, std::pair{"GB", std::int64_t{32}},
                                       std::pair{"RB", std::int64_t{16}}}) {
    MemoryLevel& level = architecture.levels.emplace_back();
    level.name = name;
    level.capacity = capacity;
    level.access_cost = Rational(1, 100);
  }
  architecture.levels[2].row_buffer_size = 16;
  architecture.levels.emplace_back().name = "DRAM";
  return architecture;
}

NetworkLayer layer(const char* name, std::int64_t k, std::int64_t repetitions = 1) {
  NetworkLayer result;
  result.workload.name = name;
  result.workload.bounds = {1, 1, 4, 1, 2, k, 1, 1};
  result.repetitions = repetitions;
  return result;
}

}  // namespace

TEST_CASE("totals are weight times repetitions times each distinct layer's figures") {
  NetworkLayer third = layer("third", 3);
  third.workload.weight = Rational(1, 3);
  const Network network{"net", {layer("a", 2, 2), third, layer("b", 2)}};
  std::vector<std::string> seen;
  const NetworkSolution result = solve_network(
      small(), network, {}, {}, [&](const LayerSolution& l) { seen.push_back(l.workload.name); });
  CHECK(seen == std::vector<std::string>{"a", "third"});
  REQUIRE(result.layers.size() == 2);
  CHECK(result.status == Status::optimal);
  CHECK(result.layers[0].repetitions == 3);
  const Metrics& a = *result.layers[0].solution.metrics;
  const Metrics& b = *result.layers[1].solution.metrics;
  CHECK(result.totals.latency == Rational(3) * a.latency + b.latency / 3);
  CHECK(result.totals.energy == Rational(3) * a.energy + b.energy / 3);
  CHECK(result.totals.activations == Rational(3) * a.activations() + b.activations() / 3);
  CHECK(result.totals.macs == Rational(3 * 16 + 8));
  CHECK(result.totals.edp() == result.totals.latency * result.totals.energy);
}

TEST_CASE("each layer is solved as if alone") {
  const NetworkLayer alone = layer("a", 6);
  SolveOptions options;
  options.objective = Objective::parse("energy,latency");
  const NetworkSolution result = solve_network(small(), {"net", {layer("b", 4), alone}}, options);
  const Solution solution = solve(small(), alone.workload, options);
  CHECK(result.layers[1].solution.mapping == solution.mapping);
  CHECK(result.layers[1].solution.goals[0].value == solution.goals[0].value);
}

TEST_CASE("an infeasible layer makes the network infeasible, the others are still solved") {
  NetworkLayer big = layer("big", 2);
  big.workload.bounds = {64, 1, 1, 1, 1, 1, 1, 1};
  const NetworkSolution all = solve_network(small(2), {"net", {layer("a", 2), big}});
  CHECK(all.status == Status::infeasible);
  CHECK(all.layers.size() == 2);
  CHECK(all.totals.latency == Rational());
  CHECK(all.totals.macs == Rational());
}

// Nothing of four elements fits the PEs beside what they must store.
TEST_CASE("a network without a solution says why, one that was stopped does not") {
  SolveOptions options;
  options.objective = Objective::parse("edp");
  options.constraints.temporal.resize(4);
  options.constraints.temporal[0][index(Dim::K)].least = 4;
  options.constraints.temporal[0][index(Dim::C)].most = 1;
  const std::vector<std::string> said = constraint_texts(small(), options.constraints);
  REQUIRE(said.size() == 2);
  const Network network{"net", {layer("a", 4), layer("b", 8)}};
  const NetworkSolution none = solve_network(small(), network, options);
  CHECK(none.status == Status::infeasible);
  REQUIRE(none.layers.size() == 2);
  for (const LayerSolution& solved : none.layers) {
    CHECK(solved.solution.status == Status::infeasible);
    CHECK(solved.solution.reason ==
          "no storage choice is feasible for all layers under the constraints " + said[0] + ", " +
              said[1]);
  }
  std::stop_source source;
  source.request_stop();
  options.stop = source.get_token();
  const NetworkSolution stopped = solve_network(small(), network, options);
  CHECK(stopped.status == Status::unknown);
  for (const LayerSolution& solved : stopped.layers) CHECK(solved.solution.reason.empty());
}

TEST_CASE("an interruption leaves no layer without a mapping") {
  std::stop_source source;
  SolveOptions options;
  options.stop = source.get_token();
  const Network network{"net", {layer("a", 2), layer("b", 3), layer("c", 4)}};
  const NetworkSolution result = solve_network(
      small(), network, options, [&](const LayerSolution&) { source.request_stop(); });
  REQUIRE(result.layers.size() == 3);
  CHECK(result.status == Status::feasible);
  CHECK(result.layers[0].solution.status == Status::optimal);
  for (const std::size_t i : {1, 2}) {
    CHECK(result.layers[i].solution.status == Status::feasible);
    CHECK(result.layers[i].solution.nodes == 0);
    CHECK(!find_violation(small(), network.layers[i].workload, *result.layers[i].solution.mapping));
  }
  CHECK(result.totals.macs == Rational(16 + 24 + 32));
}

TEST_CASE("the time limit is shared: even without time every layer has a mapping") {
  SolveOptions options;
  options.time_limit = 1e-9;
  const Network network{"net", {layer("a", 2), layer("b", 3)}};
  const NetworkSolution result = solve_network(small(), network, options);
  CHECK(result.status == Status::feasible);
  for (const LayerSolution& solved : result.layers) {
    CHECK(solved.solution.nodes == 0);
    CHECK(solved.solution.mapping);
  }
  CHECK(result.goals.size() == 1);
}

TEST_CASE("bad layers are refused before the first is solved") {
  int solved = 0;
  const auto count = [&](const LayerSolution&) { ++solved; };
  NetworkLayer bad = layer("bad", 0);
  CHECK_THROWS_AS(solve_network(small(), {"net", {layer("a", 2), bad}}, {}, {}, count), InputError);
  bad = layer("bad", 2, 0);
  CHECK_THROWS_AS(solve_network(small(), {"net", {layer("a", 2), bad}}, {}, {}, count), InputError);
  CHECK_THROWS_AS(solve_network(small(), {}, {}, {}, count), InputError);
  CHECK(solved == 0);
}
