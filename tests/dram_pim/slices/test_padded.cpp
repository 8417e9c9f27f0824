// The best mapping over all padded bounds, against solving each of them.
#include <doctest/doctest.h>

#include "padded_instance.hpp"
#include "pimbb/dram_pim/audit.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/network.hpp"
#include "pimbb/error.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;
using testkit::SolveOptions;

namespace {

Solution padded(const Instance& i, const SolveOptions& options) {
  return solve_padded(i.architecture, i.workload, options, options);
}

std::vector<Rational> values_of(const Solution& s) {
  std::vector<Rational> values;
  for (const GoalResult& goal : s.goals) values.push_back(goal.value);
  return values;
}

/// What is wrong with a proven solution, but for its values.
void check_claims(const Instance& i, const Solution& s) {
  const Workload layer = mapped_layer(i.workload, s);
  CHECK(!find_violation(i.architecture, layer, *s.mapping));
  CHECK(s.mapping->tile(i.architecture.dram()) == layer.bounds);
  const Metrics metrics = evaluate(i.architecture, layer, *s.mapping, i.row_model);
  for (const GoalResult& goal : s.goals) {
    CHECK(goal.value == goal.bound);
    CHECK(goal.value == i.objective.value(goal.goal, metrics));
  }
}

Instance example(const char* bounds, const char* goals) {
  Instance i;
  i.architecture = testkit::simple_pim();
  i.workload = parse_workload(bounds, "layer");
  i.objective = Objective::parse(goals);
  i.row_model = RowModel::trace;
  return i;
}

}  // namespace

TEST_CASE("padded optima are the least of all bounds") {
  std::size_t grown = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(300); ++seed) {
    const Instance i = testkit::padded_instance(testkit::first_seed(62'000'000) + seed);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    SolveOptions options = testkit::options_for(i);
    const Solution s = padded(i, options);
    const auto least = testkit::least_of_all(i);
    REQUIRE(s.status == (least ? Status::optimal : Status::infeasible));
    if (!least) {
      CHECK(s.reason != "");
      continue;
    }
    CHECK(values_of(s) == *least);
    check_claims(i, s);
    grown += s.padded ? 1 : 0;
    options.threads = 3;
    const Solution again = padded(i, options);
    CHECK(again.padded == s.padded);
    CHECK(testkit::to_json(*again.mapping, i.architecture) ==
          testkit::to_json(*s.mapping, i.architecture));
    CHECK(again.nodes == s.nodes);
  }
  CHECK((grown > 0 || testkit::slow_build()));
}

TEST_CASE("padded optima by brute force") {
  for (std::uint64_t seed = 0; seed < testkit::cases(60); ++seed) {
    Instance i = testkit::padded_instance(testkit::first_seed(63'000'000) + seed);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    if (testkit::unpadded(i.workload, i.workload.padding->tops(i.workload.bounds)).macs() > 24) {
      continue;
    }
    std::optional<std::vector<oracle::Fraction>> least;
    for (const Factors& bounds : testkit::all_bounds(i.workload)) {
      const auto best = oracle::brute_force(i.architecture, testkit::unpadded(i.workload, bounds),
                                            i.objective, i.row_model);
      if (!best.values.empty() && (!least || best.values < *least)) least = best.values;
    }
    const Solution s = padded(i, testkit::options_for(i));
    REQUIRE(s.mapping.has_value() == least.has_value());
    for (std::size_t g = 0; least && g < least->size(); ++g) {
      CHECK(s.goals[g].value.to_string() == (*least)[g].to_string());
    }
  }
}

TEST_CASE("padding that leaves the bounds is none; more padding is never worse") {
  Instance i = example("{R: 3, S: 1, P: 31, Q: 1, C: 16, K: 3, N: 1}", "latency,energy");
  const SolveOptions options = testkit::options_for(i);
  const Solution plain = solve(i.architecture, i.workload, options);
  std::optional<std::vector<Rational>> last;
  for (const char* pad : {"0", "1%", "R=1", "P=1,R=1", "P=2,R=1", "P=2,R=1,K=1"}) {
    CAPTURE(pad);
    i.workload.padding = Padding::parse(pad, "pad");
    const Solution s = padded(i, options);
    REQUIRE(s.status == Status::optimal);
    if (!i.workload.may_be_padded()) {
      CHECK(values_of(s) == values_of(plain));
      CHECK(s.nodes == plain.nodes);
      CHECK(s.bounds == 0);
      CHECK(!s.padded);
    } else {
      check_claims(i, s);
      CHECK(s.bounds == testkit::all_bounds(i.workload).size());
      CHECK(s.bounds_searched <= 2 * s.bounds);
    }
    if (last) CHECK(values_of(s) <= *last);
    last = values_of(s);
  }
  CHECK(*last < values_of(plain));
}

TEST_CASE("limits: a mapping and a bound") {
  Instance i = example("{R: 1, S: 1, P: 13, Q: 5, C: 24, K: 48, N: 1}", "edp");
  i.workload.padding = Padding::parse(testkit::slow_build() ? "P=2,C=1" : "2", "pad");
  SolveOptions options = testkit::options_for(i);
  const Solution best = padded(i, options);
  REQUIRE(best.status == Status::optimal);
  for (const std::uint64_t nodes : {0, 1, 20, 200}) {
    CAPTURE(nodes);
    options.node_limit = nodes;
    const Solution s = padded(i, options);
    REQUIRE(s.mapping);
    CHECK(s.goals[0].bound <= best.goals[0].value);
    CHECK(s.goals[0].value >= best.goals[0].value);
    CHECK((s.status == Status::optimal) == (s.goals[0].bound == s.goals[0].value));
  }
  options.node_limit.reset();
  options.time_limit = 0;
  const Solution hurried = padded(i, options);
  REQUIRE(hurried.mapping);
  CHECK(hurried.goals[0].bound <= best.goals[0].value);
  CHECK(hurried.goals[0].value >= best.goals[0].value);
}

// Bounds of all padded bounds would take minutes on this array: the test would not end in time.
TEST_CASE("without time: a mapping of a large array before any bound is made sharper") {
  Instance i = example("{R: 3, S: 3, P: 197, Q: 197, C: 257, K: 257, N: 16, pad: 3}", "edp");
  i.architecture.pe_array.height = i.architecture.pe_array.width = 128;
  i.architecture.levels[1].capacity = 262'144;
  i.architecture.levels[i.architecture.row_buffer()].capacity.reset();
  i.row_model = RowModel::hybrid;
  SolveOptions options = testkit::options_for(i);
  options.time_limit = 0;
  const Solution s = padded(i, options);
  REQUIRE(s.mapping);
  CHECK(s.bounds_searched == 1);
}

TEST_CASE("limits on goals hold over all bounds") {
  const Instance i = example("{R: 1, S: 1, P: 13, Q: 1, C: 8, K: 8, N: 1, pad: 2}", "energy");
  SolveOptions options = testkit::options_for(i);
  Instance fast = i;
  fast.objective = Objective::parse("latency,energy");
  const Solution fastest = padded(fast, options = testkit::options_for(fast));
  options = testkit::options_for(i);
  options.caps = {{Goal::latency, fastest.goals[0].value}};
  const Solution s = padded(i, options);
  REQUIRE(s.status == Status::optimal);
  CHECK(s.goals[0].value == fastest.goals[1].value);
  options.caps[0].most = fastest.goals[0].value - Rational(1, 1000);
  CHECK(padded(i, options).status == Status::infeasible);
}

TEST_CASE("constraints that only padded bounds satisfy") {
  const Instance i = example("{R: 1, S: 1, P: 7, Q: 1, C: 3, K: 5, N: 1, pad: {P: 1}}", "latency");
  SolveOptions options = testkit::options_for(i);
  options.constraints = parse_constraints("{spatial: {H: {P: 4}}}", "c.yaml", i.architecture);
  const Solution s = padded(i, options);
  REQUIRE(s.status == Status::optimal);
  CHECK(s.padded == Factors{1, 1, 8, 1, 3, 5, 1, 1});
  options.constraints = parse_constraints("{spatial: {H: {P: 3}}}", "c.yaml", i.architecture);
  CHECK(texts::contains(texts::error_of([&] { padded(i, options); }), "c.yaml"));
}

TEST_CASE("a padded mapping is audited against all bounds") {
  Instance i = example("{R: 3, S: 1, P: 31, Q: 1, C: 16, K: 3, N: 1, pad: {P: 1}}", "latency");
  const SolveOptions options = testkit::options_for(i);
  const Solution best = padded(i, options);
  REQUIRE(best.padded);
  const Audit same = audit(i.architecture, i.workload, *best.mapping, options, options);
  CHECK(same.standing == Standing::optimal);
  const Solution plain =
      solve(i.architecture, testkit::unpadded(i.workload, i.workload.bounds), options);
  const Audit worse = audit(i.architecture, i.workload, *plain.mapping, options, options);
  CHECK(worse.standing == Standing::not_optimal);
  CHECK(worse.goals[0].bound == best.goals[0].value);
  i.workload.padding = Padding::parse("R=1", "pad");
  CHECK_THROWS_AS(audit(i.architecture, i.workload, *best.mapping, options, options), InputError);
}

TEST_CASE("networks of padded layers") {
  Network network = parse_network(
      "pad: {P: 3}\nlayers:\n"
      "- {name: a, R: 1, S: 1, P: 13, Q: 1, C: 8, K: 8, N: 1}\n"
      "- {name: b, R: 1, S: 1, P: 7, Q: 1, C: 4, K: 8, N: 1, repetitions: 2}\n",
      "n.yaml");
  const Architecture a = testkit::simple_pim();
  for (const char* goals : {"latency", "energy", "edp"}) {
    CAPTURE(goals);
    SolveOptions options;
    options.objective = Objective::parse(goals);
    const NetworkSolution s = testkit::solve_network(a, network, options);
    REQUIRE(s.status == Status::optimal);
    Rational latency;
    Rational energy;
    for (const LayerSolution& layer : s.layers) {
      const Workload mapped = mapped_layer(layer.workload, layer.solution);
      const Metrics m = evaluate(a, mapped, *layer.solution.mapping, RowModel::trace);
      latency += layer.repetitions * m.latency;
      energy += layer.repetitions * m.energy;
    }
    CHECK(s.totals.latency == latency);
    CHECK(s.totals.energy == energy);
    Network plain = network;
    for (NetworkLayer& layer : plain.layers) layer.workload.padding.reset();
    const NetworkSolution unpadded = testkit::solve_network(a, plain, options);
    CHECK(s.goals[0].value <= unpadded.goals[0].value);
  }
  CHECK_THROWS_AS(solve_network(a, network, {}, {}, {}, {.fix_bypass = true}), InputError);
}

TEST_CASE("what cannot be padded") {
  Instance i = example("{R: 1, S: 1, P: 13, Q: 1, C: 8, K: 8, N: 1, pad: 1}", "latency");
  SolveOptions options = testkit::options_for(i);
  options.method = Method::greedy;
  CHECK_THROWS_AS(padded(i, options), InputError);
  options.method = Method::exact;
  i.workload.padding = Padding::parse("1e12", "pad");
  CHECK_THROWS_AS(padded(i, options), InputError);
  i.workload.padding = Padding::parse("500", "pad");  // too many
  CHECK_THROWS_AS(padded(i, options), InputError);
}
