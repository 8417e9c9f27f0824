// Mappings translated into the linear program, row by row and in exact numbers.
#include <doctest/doctest.h>

#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/milp/assignment.hpp"
#include "dram_pim/milp/build.hpp"
#include "dram_pim/milp/linear_instance.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Assignment;
using testkit::Choices;
using testkit::Instance;

namespace {

milp::MappingProgram program_of(const Instance& i, const Mapping* known = nullptr) {
  return milp::build_program(i.architecture, i.workload, i.objective, i.row_model, known);
}

}  // namespace

TEST_CASE("the best mapping satisfies every row and costs what solve() says") {
  std::size_t feasible = 0;
  std::size_t fewer = 0;  // programs from which the best value removes columns
  std::size_t all = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(600); ++seed) {
    const Instance i = testkit::linear_instance(seed, {.macs = 24});
    const Solution best = solve(i.architecture, i.workload, testkit::options_for(i));
    if (!best.mapping) continue;
    ++feasible;
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    // Whatever mapping is known, the best one is not left out.
    const Mapping smallest = mapper::smallest_mapping(i.architecture, i.workload);
    for (const Mapping* known : {static_cast<const Mapping*>(nullptr), &smallest, &*best.mapping}) {
      const milp::MappingProgram built = program_of(i, known);
      const Assignment a = testkit::assignment_of(built, i.architecture, *best.mapping);
      CHECK(a.failure == "");
      CHECK(a.objective.to_string() == best.goals.front().value.to_string());
      const auto columns = static_cast<std::size_t>(built.program.relaxation.columns());
      fewer += known == &*best.mapping && columns < all ? 1 : 0;
      if (known == nullptr) all = columns;
    }
  }
  CHECK(fewer * 2 > feasible);
  CHECK(feasible > 0);
}

TEST_CASE("any mapping: feasible ones satisfy every row at no higher cost, others break one") {
  std::size_t feasible = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(300); ++seed) {
    const Instance i = testkit::linear_instance(seed, {.macs = 36});
    const milp::MappingProgram built = program_of(i);
    Choices choices(seed + 1'000'000);
    for (std::size_t trial = 0; trial < 20; ++trial) {
      const Mapping mapping =
          testkit::random_mapping(i.architecture, i.workload, choices, trial % 4);
      CAPTURE(seed);
      CAPTURE(trial);
      CAPTURE(testkit::to_json(i));
      const auto violation = find_violation(i.architecture, i.workload, mapping);
      // The program has no blocks: where one is not admissible, it takes another.
      if (violation && violation->rule == "layout") continue;
      const Assignment a = testkit::assignment_of(built, i.architecture, mapping);
      if (violation) {
        ++infeasible;
        CAPTURE(violation->message);
        CHECK(a.failure != "");
        continue;
      }
      ++feasible;
      CHECK(a.failure == "");
      const Metrics metrics = evaluate(i.architecture, i.workload, mapping, i.row_model);
      CHECK(a.objective <= i.objective.value(i.objective.goals.front(), metrics));
    }
  }
  CHECK(feasible > 0);
  CHECK(infeasible > 0);
  MESSAGE(feasible << " feasible, " << infeasible << " infeasible");
}
