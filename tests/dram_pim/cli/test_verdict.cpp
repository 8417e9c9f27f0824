// The words for what is proven, and the terms that a cost falls into.
#include <doctest/doctest.h>

#include "dram_pim/cli/breakdown.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/progress.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using namespace pimbb::terminal;
using namespace pimbb::dram_pim::cli;

namespace {

Solution solution(Status status, std::vector<GoalResult> goals, std::string reason = {}) {
  Solution s;
  s.status = status;
  s.goals = std::move(goals);
  s.reason = std::move(reason);
  return s;
}

}  // namespace

TEST_CASE("each status has its words") {
  const GoalResult proven{Goal::latency, 1806336, 1806336};
  const GoalResult open{Goal::energy, 1000, 968};
  CHECK(verdict({}, solution(Status::optimal, {proven}), false) ==
        "optimal, proven: latency 1,806,336 cycles (gap 0)");
  const Solution cut = solution(Status::feasible, {proven, open});
  CHECK(verdict({}, cut, false) ==
        "limit hit: latency 1,806,336 cycles (gap 0), then energy 1,000 nJ, bound 968 (gap 3.2 %)");
  CHECK(verdict({}, cut, true).starts_with("interrupted: latency"));
  CHECK(verdict({}, solution(Status::infeasible, {}, "PE holds 1 byte"), false) ==
        "infeasible, proven: PE holds 1 byte");
  CHECK(verdict({}, solution(Status::unknown, {}), false) == "limit hit: no mapping found so far");
  CHECK(proof_cell({}, cut) == "gap 3.2 %");
}

TEST_CASE("the method has its words") {
  Solution within = solution(Status::optimal, {{Goal::latency, 10, 10}});
  within.method = Method::ws;
  CHECK(verdict({}, within, false) == "optimal within ws, proven: latency 10 cycles (gap 0)");
  Solution drawn = solution(Status::feasible, {{Goal::latency, 10, 9}});
  drawn.method = Method::random;
  CHECK(verdict({}, drawn, false).starts_with("random, not proven: latency 10 cycles, bound 9"));
  CHECK(verdict({}, drawn, true).starts_with("random, not proven, interrupted: latency"));
}

TEST_CASE("exit codes") {
  CHECK(exit_code(Status::optimal) == 0);
  CHECK(exit_code(Status::feasible) == 3);
  CHECK(exit_code(Status::unknown) == 3);
  CHECK(exit_code(Status::infeasible) == 4);
}

TEST_CASE("a network says how many of its layers are proven") {
  NetworkSolution network;
  const auto add = [&](Status status, const char* name) {
    Workload workload;
    workload.name = name;
    network.layers.push_back({workload, 1, solution(status, {}, name)});
  };
  add(Status::optimal, "a");
  CHECK(network_verdict({}, network) == "optimal, proven: 1 of 1 distinct layer");
  add(Status::unknown, "late");
  CHECK(network_verdict({}, network) ==
        "not all proven: 1 of 2 distinct layers proven optimal, 1 without a mapping so far (the "
        "totals leave out 1 layer)\n  late: late");
  add(Status::infeasible, "big");
  CHECK(network_verdict({}, network).starts_with("infeasible: 1 of 3"));
}

TEST_CASE("the progress line says what is known") {
  CHECK(progress_text(std::nullopt, 3.9) == "3 s");
  Progress progress{name(Goal::energy), std::nullopt, 90, 500, 2};
  CHECK(progress_text(progress, 2) == "2 s  energy  no mapping yet  bound 90  500 nodes  250/s");
  progress.incumbent = 100;
  CHECK(progress_text(progress, 2) ==
        "gap 10.00 %  2 s  energy  best 100  bound 90  500 nodes  250/s");
  CHECK(progress_text(progress, std::nullopt, "3/9 conv1") ==
        "gap 10.00 %  3/9 conv1  energy  best 100  bound 90  500 nodes");
  CHECK(progress_text(std::nullopt, 3.9, "3/9 conv1") == "3 s  3/9 conv1");
  CHECK(progress_text(std::nullopt, std::nullopt) == "searching");
}

TEST_CASE("the energy terms add up to the energy, the largest cycle term is the latency") {
  Architecture architecture;
  architecture.pe_array.mac_energy = Rational(1, 10);
  architecture.activation_energy = Rational(1, 2);
  for (const char* name : {"PE", "GB", "RB", "DRAM"}) {
    MemoryLevel& level = architecture.levels.emplace_back();
    level.name = name;
    level.access_cost = Rational(static_cast<int>(architecture.levels.size()), 7);
  }
  architecture.levels[2].row_buffer_size = 64;
  Workload workload;
  workload.bounds = {3, 1, 4, 1, 2, 8, 1, 1};
  Mapping mapping;
  mapping.levels.resize(4);
  for (std::size_t m = 0; m < 4; ++m) mapping.levels[m].stores = {true, true, true};
  mapping.levels[3].loops = {{Dim::K, 8}, {Dim::P, 4}};
  mapping.levels[1].loops = {{Dim::C, 2}, {Dim::R, 3}};
  for (const RowModel model :
       {RowModel::analytic, RowModel::hybrid, RowModel::trace, RowModel::none}) {
    const Metrics metrics = evaluate(architecture, workload, mapping, model);
    Rational sum;
    for (const Term& term : energy_terms(architecture, workload, metrics)) sum += term.value;
    CHECK(sum == metrics.energy);
    Rational largest;
    for (const Term& term : cycle_terms(architecture, metrics)) largest = max(largest, term.value);
    CHECK(largest == metrics.latency);
    CHECK(bottlenecks(architecture, metrics).size() >= 1);
  }
}
