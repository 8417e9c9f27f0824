// The claims of an audit in one line, and the figures of an ablation.
#include <doctest/doctest.h>

#include "dram_pim/cli/audit_report.hpp"
#include "dram_pim/cli/bench_ablation.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using namespace pimbb::dram_pim::cli;

namespace {

/// Latency 120 where 100 is the bound; `best` was found.
Distance distance_of(Standing standing, bool complete, std::optional<Rational> best) {
  Distance distance;
  distance.complete = complete;
  distance.standing = standing;
  distance.goals = {{Goal::latency, 120, std::move(best), 100}};
  distance.decided_by = 0;
  return distance;
}

BenchResult bench_result(Status status, std::uint64_t nodes, std::uint64_t leaves) {
  BenchResult result;
  result.answer.status = status;
  result.answer.counts = {{"nodes", nodes}, {"leaves", leaves}};
  result.runs = {1};
  return result;
}

}  // namespace

TEST_CASE("each standing of a given mapping has its words") {
  Distance equal = distance_of(Standing::optimal, true, 120);
  equal.goals[0].bound = 120;
  equal.decided_by.reset();
  CHECK(audit_verdict({}, equal, false) ==
        "optimal, proven: no mapping is better in latency 120 cycles");
  CHECK(audit_verdict({}, distance_of(Standing::not_optimal, true, 100), false) ==
        "not optimal, proven: latency 120 cycles is 1.2 x the optimum, 100 cycles (gap 16.7 %)");
  CHECK(audit_verdict({}, distance_of(Standing::not_optimal, false, 110), false) ==
        "not optimal, limit hit: latency 120 cycles is at most 1.2 x the optimum (bound 100, gap "
        "16.7 %)");
  CHECK(audit_verdict({}, distance_of(Standing::unknown, false, 120), true) ==
        "interrupted: latency 120 cycles is at most 1.2 x the optimum (bound 100, gap 16.7 %); "
        "nothing better found so far");
}

TEST_CASE("the table of goals has a bound where the optimum is not proven") {
  CHECK(goal_table({}, distance_of(Standing::not_optimal, true, 100)) ==
        "\nDistance\n"
        "  goal          given        best  x optimum     gap\n"
        "  latency  120 cycles  100 cycles        1.2  16.7 %\n");
  CHECK(goal_table({}, distance_of(Standing::unknown, false, {})) ==
        "\nDistance\n"
        "  goal          given  found  bound  x bound     gap\n"
        "  latency  120 cycles      -    100      1.2  16.7 %\n");
}

TEST_CASE("an ablation compares counts, one more on each side") {
  Ablation ablation(Rule::dominance);
  ablation.add({}, bench_result(Status::optimal, 1, 0), bench_result(Status::optimal, 7, 2));
  ablation.add({}, bench_result(Status::optimal, 0, 1), bench_result(Status::optimal, 15, 5));
  ablation.add({}, bench_result(Status::feasible, 9, 9), bench_result(Status::optimal, 9, 9));
  CHECK(ablation.cases() == 2);
  CHECK(ablation.nodes() == doctest::Approx(8));  // of 8 / 2 and 16 / 1
  CHECK(ablation.worst_nodes() == doctest::Approx(16));
  CHECK(ablation.leaves() == doctest::Approx(3));  // of 3 / 1 and 6 / 2
  CHECK(ablation.time() == doctest::Approx(1));
  CHECK(ablation.unfinished().empty());
}
