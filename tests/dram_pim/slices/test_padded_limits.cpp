// How much is searched once a limit is reached.
#include <doctest/doctest.h>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

Solution padded_within(std::optional<std::uint64_t> nodes, const char* goals,
                       std::vector<GoalCap> caps = {}) {
  testkit::Instance i;
  i.architecture = testkit::simple_pim();
  i.workload = parse_workload("{R: 1, S: 1, P: 13, Q: 1, C: 24, K: 48, N: 1}", "layer");
  i.workload.padding = Padding::parse(testkit::slow_build() ? "P=2,C=1" : "2", "pad");
  i.objective = Objective::parse(goals);
  i.row_model = RowModel::trace;
  testkit::SolveOptions options = testkit::options_for(i);
  options.caps = std::move(caps);
  options.node_limit = nodes;
  return solve_padded(i.architecture, i.workload, options, options);
}

}  // namespace

TEST_CASE("without any nodes, one vector of bounds is searched, for the first goal") {
  const Solution s = padded_within(0, "energy,latency");
  CHECK(s.status == Status::feasible);
  CHECK(s.mapping);
  CHECK(s.bounds_searched == 1);
  CHECK(s.goals.size() == 2);
}

TEST_CASE("the same where that search finds nothing") {
  const Rational latency = padded_within({}, "latency").goals[0].value;
  const Rational energy = padded_within({}, "energy").goals[0].value;
  const Solution s =
      padded_within(0, "energy,latency", {{Goal::latency, latency}, {Goal::energy, energy}});
  REQUIRE(!s.mapping);
  CHECK(s.status == Status::unknown);
  CHECK(s.bounds_searched == 1);
}
