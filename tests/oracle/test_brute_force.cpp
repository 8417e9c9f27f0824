// The exhaustive search against hand counts, against one mapping at a time, and golden optima.
#include <doctest/doctest.h>

#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/plain_json.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Json;

namespace {

/// One PE, three tensors everywhere, unbounded buffers, rows of `row` bytes.
Architecture roomy(std::int64_t row) {
  Architecture a;
  a.levels.resize(4);
  for (std::size_t i = 0; i < 4; ++i) a.levels[i].name = "L" + std::to_string(i);
  a.levels[2].row_buffer_size = row;
  return a;
}

std::uint64_t count(const Architecture& a, const Workload& w) {
  return oracle::brute_force(a, w, {}, RowModel::analytic).mappings;
}

}  // namespace

TEST_CASE("numbers of mappings that can be counted by hand") {
  Workload w;
  w.bounds[index(Dim::P)] = 2;
  // P2 at one of 4 levels; weight and output have 2 layouts each; the input (two elements wide) is
  // sequential, in a block of 2, or, if P2 is in DRAM, in blocks of 1: (3*2 + 1*3) * 4.
  CHECK(count(roomy(2), w) == 36);
  // Rows of one byte: with P2 inside, only the weight still has 2 layouts; with P2 in DRAM all do.
  CHECK(count(roomy(1), w) == 3 * 2 + 2 * 2 * 2);
  // Two rows of PEs: P2 on the array is a fifth place, with the layouts of the inner levels.
  Architecture two = roomy(2);
  two.pe_array.height = 2;
  CHECK(count(two, w) == 36 + 8);
  // Free bypass at level 0: 2^3 storage patterns.
  two.levels[0].bypass_free = true;
  CHECK(count(two, w) == 8 * (36 + 8));
  // No room for three bytes in the global buffer: nothing fits.
  Architecture tight = roomy(2);
  tight.levels[1].capacity = 2;
  CHECK(count(tight, w) == 0);
  // K2 beside P2: 16 pairs of levels, 3 of them shared by two orders above level 0. All layouts
  // exist in rows of 4 bytes; the input gains its third when P2 is in DRAM.
  w.bounds[index(Dim::K)] = 2;
  CHECK(count(roomy(4), w) == 4 * (2 * (12 + 2) + 3 * (4 + 1)));
}

TEST_CASE("the savings change nothing: every mapping evaluated on its own") {
  const std::size_t cases = testkit::cases(400);
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    testkit::Choices choices(seed);
    const testkit::Instance i =
        testkit::random_instance(choices, {.macs = 4, .levels = 5, .free_levels = 1});
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const oracle::Optimum optimum =
        oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model);
    const oracle::CostOracle oracle(i.architecture, i.workload, i.row_model);
    std::uint64_t mappings = 0;
    std::vector<oracle::Fraction> best;
    oracle::for_each_mapping(i.architecture, i.workload, [&](const Mapping& m) {
      ++mappings;
      const oracle::Cost cost = oracle.evaluate(m);
      std::vector<oracle::Fraction> values;
      for (const Goal goal : i.objective.goals) values.push_back(cost.value(goal, i.objective));
      if (best.empty() || values < best) best = values;
    });
    CHECK(optimum.mappings == mappings);
    CHECK(optimum.values == best);
    CHECK(optimum.mapping.has_value() == !best.empty());
    if (!optimum.mapping) continue;
    CHECK(oracle::broken_rule(i.architecture, i.workload, *optimum.mapping) == "");
    CHECK(oracle.evaluate(*optimum.mapping).value(i.objective.goals[0], i.objective) == best[0]);
  }
}

TEST_CASE("golden optima") {
  std::vector<Json> lines = testkit::golden_lines("optima.jsonl");
  lines.resize(testkit::cases(lines.size()));
  for (const Json& line : lines) {
    CAPTURE(line.dump());
    const Architecture a = testkit::read_architecture(line.at("architecture"));
    const Workload w = testkit::read_workload(line.at("workload"));
    const Objective objective{.goals = {testkit::read_goal(line.at("objective"))}};
    const oracle::Optimum found =
        oracle::brute_force(a, w, objective, testkit::read_row_model(line.at("row_model")));
    const Json& golden = line.at("optimum");
    REQUIRE(found.values.empty() == golden.is_null());
    if (golden.is_null()) continue;
    // Golden optima are printed with 12 digits.
    CHECK(found.values[0].to_double() == doctest::Approx(golden.get<double>()).epsilon(1e-11));
  }
}
