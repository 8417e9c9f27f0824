// solve() against optima computed elsewhere.
#include <doctest/doctest.h>

#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/plain_json.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;
using testkit::Json;

namespace {

Instance read_instance(const Json& line, const std::string& goal) {
  Instance i;
  i.architecture = testkit::read_architecture(line.at("architecture"));
  i.workload = testkit::read_workload(line.at("workload"));
  i.objective.goals = {testkit::read_goal(goal)};
  i.row_model = testkit::read_row_model(line.at("row_model"));
  return i;
}

void check_optimum(const Instance& i, const Json& golden) {
  CAPTURE(testkit::to_json(i));
  const Solution s = solve(i.architecture, i.workload, testkit::options_for(i));
  CHECK(testkit::false_claim(i, s) == "");
  REQUIRE(s.status == (golden.is_null() ? Status::infeasible : Status::optimal));
  if (golden.is_null()) return;
  // Golden optima are printed with 12 digits.
  CHECK(s.goals[0].value.to_double() == doctest::Approx(golden.get<double>()).epsilon(1e-11));
  CHECK(s.goals[0].bound == s.goals[0].value);
}

}  // namespace

TEST_CASE("golden optima of tiny problems") {
  for (const Json& line : testkit::golden_lines("optima.jsonl")) {
    check_optimum(read_instance(line, line.at("objective")), line.at("optimum"));
  }
}

TEST_CASE("golden optima of full-size layers" * doctest::skip(testkit::slow_build())) {
  for (const Json& line : testkit::golden_lines("full.jsonl")) {
    for (const auto& [goal, value] : line.at("optima").items()) {
      check_optimum(read_instance(line, goal), value);
    }
  }
}
