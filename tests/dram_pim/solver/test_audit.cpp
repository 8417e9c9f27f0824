// Audits against exhaustive search: the distance of random mappings from the optimum, and the best
// layouts of given loops.
#include <doctest/doctest.h>

#include "dram_pim/heuristic/best_layouts.hpp"
#include "pimbb/dram_pim/audit.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/error.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/instances.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/random_mapping.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;
using testkit::SolveOptions;

namespace {

std::vector<Rational> values(const Instance& i, const Mapping& m) {
  const Metrics metrics = evaluate(i.architecture, i.workload, m, i.row_model);
  std::vector<Rational> list;
  for (const Goal goal : i.objective.goals) list.push_back(i.objective.value(goal, metrics));
  return list;
}

/// Feasible mappings of random tiny problems.
template <class Check>
void each_mapping(std::size_t count, const testkit::Size& size, const Check& check) {
  const std::uint64_t first = testkit::first_seed(700'000);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Choices choices(seed);
    const Instance i = testkit::random_instance(choices, size);
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 6);
      if (!oracle::broken_rule(i.architecture, i.workload, m).empty()) continue;
      CAPTURE(seed);
      CAPTURE(testkit::to_json(i));
      CAPTURE(testkit::to_json(m, i.architecture));
      check(i, m);
    }
  }
}

/// The least number of rows of a tensor over all layouts, edges of blocks from 1 up.
Rational fewest_rows(const Instance& i, Mapping m, Tensor t) {
  m.layout = {};
  const auto rows = [&] {
    return evaluate(i.architecture, i.workload, m, i.row_model).row_activations[index(t)];
  };
  Rational fewest = rows();
  m.layout[index(t)] = Layout::row_aligned;
  for (std::int64_t h = 1; h <= i.workload.input_height(); ++h) {
    for (std::int64_t w = 1; w <= i.workload.input_width(); ++w) {
      m.input_block = {h, w};
      if (oracle::broken_rule(i.architecture, i.workload, m).empty()) {
        fewest = std::min(fewest, rows());
      }
    }
  }
  return fewest;
}

}  // namespace

TEST_CASE("the distance of random mappings is that from the exhaustive optimum") {
  std::size_t optimal = 0;
  std::size_t later = 0;
  const std::size_t cases = testkit::cases(150);
  each_mapping(cases, {}, [&](const Instance& i, const Mapping& m) {
    const oracle::Optimum optimum =
        oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model);
    const Audit found = audit(i.architecture, i.workload, m, testkit::options_for(i));
    REQUIRE(testkit::complaint(i, found.solution, optimum) == "");
    CHECK(found.certified());
    const std::vector<Rational> given = values(i, m);
    const std::vector<Rational> best = values(i, *found.solution.mapping);
    std::optional<std::size_t> decided_by;
    for (std::size_t k = 0; k < given.size(); ++k) {
      const GoalDistance& g = found.goals[k];
      CHECK(g.value == given[k]);
      CHECK(g.bound == best[k]);
      CHECK(g.best == best[k]);
      CHECK(g.value * (1 - g.gap()) == g.bound);
      if (g.ratio()) CHECK(*g.ratio() * (g.bound.sign() == 0 ? 0 : g.bound) == g.value);
      if (!decided_by && given[k] != best[k]) decided_by = k;
    }
    CHECK(found.decided_by == decided_by);
    CHECK(found.standing == (decided_by ? Standing::not_optimal : Standing::optimal));
    optimal += decided_by ? 0 : 1;
    later += decided_by && *decided_by > 0 ? 1 : 0;
  });
  CHECK((cases < 150 || optimal > 0));  // few cases need not meet every kind
  CHECK((cases < 150 || later > 0));
}

TEST_CASE("an optimum audits as optimal, and no limit makes a claim that is not so") {
  std::size_t cut = 0;
  each_mapping(testkit::cases(100), {.macs = 48}, [&](const Instance& i, const Mapping& m) {
    const Audit whole = audit(i.architecture, i.workload, m, testkit::options_for(i));
    const Audit best =
        audit(i.architecture, i.workload, *whole.solution.mapping, testkit::options_for(i));
    CHECK(best.standing == Standing::optimal);
    SolveOptions limited = testkit::options_for(i);
    limited.node_limit = 1;
    const Audit early = audit(i.architecture, i.workload, m, limited);
    CHECK(early.goals.front().bound <= whole.goals.front().bound);
    if (early.standing != Standing::unknown) CHECK(early.standing == whole.standing);
    const bool optimal = early.solution.status == Status::optimal;
    const Audit own = audit(i.architecture, i.workload, *early.solution.mapping, limited);
    CHECK(own.standing != Standing::not_optimal);
    cut += optimal ? 0 : 1;
  });
  CHECK(cut > 0);
}

TEST_CASE("the best layouts are the best of all") {
  std::size_t aligned = 0;
  each_mapping(testkit::cases(800), {.macs = 96}, [&](const Instance& i, const Mapping& m) {
    const Mapping found = heuristic::with_best_layouts(i.architecture, i.workload, m, i.row_model);
    REQUIRE(oracle::broken_rule(i.architecture, i.workload, found).empty());
    const Metrics metrics = evaluate(i.architecture, i.workload, found, i.row_model);
    for (const Tensor t : kAllTensors) {
      CAPTURE(name(t));
      CHECK(metrics.row_activations[index(t)] == fewest_rows(i, m, t));
      aligned += found.layout[index(t)] == Layout::row_aligned ? 1 : 0;
    }
    Mapping other = m;
    other.layout = found.layout;
    other.input_block = found.input_block;
    CHECK(other == found);
  });
  CHECK(aligned > 0);
}

TEST_CASE("bad input") {
  Choices choices(1);
  const Instance i = testkit::random_instance(choices, {});
  Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 100);
  SolveOptions heuristic = testkit::options_for(i);
  heuristic.method = Method::greedy;
  CHECK_THROWS_AS(audit(i.architecture, i.workload, m, heuristic), InputError);
  m.levels.back().loops.push_back({Dim::K, 7});
  CHECK_THROWS_AS(audit(i.architecture, i.workload, m, testkit::options_for(i)), InputError);
}

TEST_CASE("the ratio of a value and its bound") {
  CHECK(GoalDistance{Goal::energy, 6, {}, 4}.ratio() == Rational(3, 2));
  CHECK(GoalDistance{Goal::energy, 0, {}, 0}.ratio() == Rational(1));
  CHECK_FALSE(GoalDistance{Goal::energy, 6, {}, 0}.ratio());
}
