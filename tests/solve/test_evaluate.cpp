// evaluate() and find_violation() against the oracle, on random mappings of random tiny problems.
#include <doctest/doctest.h>

#include "pimbb/cost.hpp"
#include "pimbb/feasibility.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/oracle_cost.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/plain_json.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using testkit::Choices;
using testkit::Instance;

namespace {

/// The rule that the library says is broken; empty if none.
std::string library_verdict(const Instance& i, const Mapping& m) {
  const auto violation = find_violation(i.architecture, i.workload, m);
  return violation ? violation->rule : "";
}

void check_costs(const Instance& i, const Mapping& m) {
  for (const RowModel model : {RowModel::analytic, RowModel::hybrid, RowModel::trace}) {
    CAPTURE(kRowModelNames[static_cast<std::size_t>(model)]);
    const oracle::CostOracle oracle(i.architecture, i.workload, model);
    const Metrics metrics = evaluate(i.architecture, i.workload, m, model);
    CHECK(oracle::first_difference(i.architecture, i.workload, m, oracle.evaluate(m), metrics) ==
          "");
  }
}

}  // namespace

TEST_CASE("random mappings: verdict and every figure are the oracle's") {
  const testkit::Size size{.macs = 96, .levels = 5, .free_levels = 3};
  const std::size_t cases = testkit::cases(20000);
  std::size_t feasible = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    Choices choices(seed);
    const Instance i = testkit::random_instance(choices, size);
    for (int repeat = 0; repeat < 8; ++repeat) {
      Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 4);
      if (repeat % 4 == 3) testkit::damage(m, choices);
      CAPTURE(seed);
      CAPTURE(testkit::to_json(i));
      CAPTURE(testkit::write(m, i.architecture).dump());
      const std::string rule = oracle::broken_rule(i.architecture, i.workload, m);
      CHECK(library_verdict(i, m) == rule);
      if (rule.empty()) check_costs(i, m);
      ++(rule.empty() ? feasible : infeasible);
    }
  }
  MESSAGE(feasible << " feasible and " << infeasible << " infeasible mappings");
  CHECK(feasible >= cases / 2);
  CHECK(infeasible >= cases / 2);
}
