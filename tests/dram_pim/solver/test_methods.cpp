// Optima within a dataflow against exhaustive search of that part of the space; heuristics.
#include <doctest/doctest.h>

#include "dram_pim/heuristic/random_search.hpp"
#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/solver/by_seed.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/oracle_dataflow.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::by_seed;
using testkit::Choices;
using testkit::Instance;
using testkit::Size;
using testkit::SolveOptions;

namespace {

constexpr std::array kHeuristics{Method::greedy, Method::random};

oracle::Optimum exhaust(const Instance& i, Method method) {
  return oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model,
                             oracle::within(i.architecture, i.workload, method));
}

Solution solve_by(const Instance& i, Method method, SolveOptions options) {
  options.method = method;
  return solve(i.architecture, i.workload, options);
}

/// What is wrong with the solver within one dataflow; empty if nothing.
std::string trouble(const Instance& i, Method method, const oracle::Optimum& optimum,
                    const SolveOptions& options) {
  const Solution s = solve_by(i, method, options);
  if (s.mapping) {
    const auto part = oracle::within(i.architecture, i.workload, method);
    if (!part.loops(*s.mapping)) return "the mapping is not within the dataflow";
  }
  return testkit::complaint(i, s, optimum);
}

template <class Check>
void by_seed_and_dataflow(std::uint64_t first, std::size_t count, const Size& size,
                          const Check& check) {
  by_seed(first, count, size, [&](const Instance& i) {
    for (const Method method : kDataflows) {
      CAPTURE(name(method));
      check(i, method);
    }
  });
}

}  // namespace

TEST_CASE("the optimum within a dataflow is the exhaustive search's, small") {
  by_seed_and_dataflow(0, testkit::cases(700), {.macs = 12}, [](const Instance& i, Method method) {
    CHECK(trouble(i, method, exhaust(i, method), testkit::options_for(i)) == "");
  });
}

TEST_CASE("the optimum within a dataflow is the exhaustive search's, larger") {
  by_seed_and_dataflow(
      1'000'000, testkit::cases(200), {.macs = 36}, [](const Instance& i, Method method) {
        CHECK(trouble(i, method, exhaust(i, method), testkit::options_for(i)) == "");
      });
}

TEST_CASE("no rule prunes what matters within a dataflow") {
  by_seed_and_dataflow(2'000'000, testkit::cases(60), {.macs = 12},
                       [](const Instance& i, Method method) {
                         const oracle::Optimum optimum = exhaust(i, method);
                         for (std::size_t k = 0; k < kRules; ++k) {
                           SolveOptions options = testkit::options_for(i);
                           options.rules.set(static_cast<Rule>(k), false);
                           CAPTURE(kRuleNames[k]);
                           CHECK(trouble(i, method, optimum, options) == "");
                         }
                       });
}

TEST_CASE("without bounds and dominance the search visits exactly the mappings of the dataflow") {
  by_seed(3'000'000, testkit::cases(150), {.macs = 16}, [](Instance i) {
    i.objective = Objective::parse("latency");
    SolveOptions options = testkit::options_for(i);
    for (const Rule rule :
         {Rule::lattice, Rule::lp, Rule::shared, Rule::dominance, Rule::spatial, Rule::symmetry}) {
      options.rules.set(rule, false);
    }
    for (const Method method : kDataflows) {
      CAPTURE(name(method));
      CHECK(solve_by(i, method, options).mappings == exhaust(i, method).mappings);
    }
  });
}

TEST_CASE("find_departure knows what is within a dataflow") {
  by_seed_and_dataflow(
      4'000'000, testkit::cases(40), {.macs = 6}, [](const Instance& i, Method method) {
        const auto part = oracle::within(i.architecture, i.workload, method);
        oracle::for_each_mapping(i.architecture, i.workload, [&](const Mapping& m) {
          bool expected = part.loops(m);
          for (const Tensor t : kAllTensors) {
            std::vector<bool> stored;
            for (const MappingLevel& level : m.levels) stored.push_back(level.stores[index(t)]);
            expected = expected && part.storage(t, stored);
          }
          const bool found = !find_departure(i.architecture, i.workload, m, method);
          if (found != expected) CHECK(found == expected);
        });
      });
}

TEST_CASE("a dataflow's optimum is no better than that of the whole space, a heuristic's neither") {
  by_seed(5'000'000, testkit::cases(100), {.macs = 48}, [](Instance i) {
    i.objective.goals.resize(1);
    const Solution best = solve_by(i, Method::exact, testkit::options_for(i));
    if (!best.mapping) return;
    for (std::size_t k = 1; k < kMethodNames.size(); ++k) {
      CAPTURE(kMethodNames[k]);
      SolveOptions options = testkit::options_for(i);
      options.samples = 20;
      const Solution other = solve_by(i, static_cast<Method>(k), options);
      CHECK(testkit::false_claim(i, other) == "");
      if (other.mapping) CHECK(other.goals[0].value >= best.goals[0].value);
      if (is_heuristic(other.method)) {
        CHECK(other.status == Status::feasible);
        CHECK(other.goals[0].bound <= best.goals[0].value);
      }
    }
  });
}

TEST_CASE("a limit within a dataflow leaves a mapping within it and a bound that holds") {
  by_seed_and_dataflow(6'000'000, testkit::cases(60), {.macs = 36},
                       [](const Instance& i, Method method) {
                         SolveOptions options = testkit::options_for(i);
                         options.node_limit = 1;
                         const oracle::Optimum optimum = exhaust(i, method);
                         const Solution s = solve_by(i, method, options);
                         CHECK(testkit::complaint(i, s, optimum, true) == "");
                         if (!s.mapping) return;
                         CHECK(!find_departure(i.architecture, i.workload, *s.mapping, method));
                       });
}

TEST_CASE("heuristics find a mapping of every feasible layer") {
  const Architecture pim = read_architecture("hbm_pim");
  for (const char* layer : {"resnet18:conv1", "llama_7b:qkvo", "mobilenet_v1:fc"}) {
    CAPTURE(layer);
    const Workload workload = read_workload(layer);
    for (const Method method : kHeuristics) {
      SolveOptions options;
      options.method = method;
      options.samples = 10;
      const Solution s = solve(pim, workload, options);
      REQUIRE(s.mapping);
      CHECK(!find_violation(pim, workload, *s.mapping));
      CHECK(s.goals[0].bound.sign() > 0);
    }
  }
}

TEST_CASE("heuristics have the bound that the exact search begins with, whatever the time") {
  const auto check = [](const Instance& i) {
    SolveOptions options = testkit::options_for(i);
    options.node_limit = 0;
    const Solution exact = solve(i.architecture, i.workload, options);
    if (exact.status == Status::infeasible) return;
    options.node_limit.reset();
    const Solution greedy = solve_by(i, Method::greedy, options);
    options.time_limit = 1000;
    const Solution limited = solve_by(i, Method::greedy, options);
    CHECK(greedy.goals[0].bound == exact.goals[0].bound);
    CHECK(limited.goals[0].bound == exact.goals[0].bound);
  };
  by_seed(930'000, testkit::cases(20), {.free_levels = 1}, [&](const Instance& bounded) {
    Instance i = bounded;
    check(i);
    i.architecture.levels[i.architecture.row_buffer()].capacity.reset();
    check(i);
  });
  check({testkit::simple_pim(), testkit::resnet18_layers()[1], Objective::parse("edp")});
}

TEST_CASE("the seed alone decides what random draws") {
  const Architecture pim = read_architecture("simple_pim");
  const Workload layer = read_workload("resnet18:conv3_x");
  const Mapping smallest = mapper::smallest_mapping(pim, layer);
  heuristic::RandomMappings one(pim, layer, 7, smallest);
  heuristic::RandomMappings same(pim, layer, 7, smallest);
  heuristic::RandomMappings other(pim, layer, 8, smallest);
  bool all_equal = true;
  for (int k = 0; k < 20; ++k) {
    const Mapping drawn = one.next();
    CHECK(!find_violation(pim, layer, drawn));
    CHECK((drawn == same.next()));
    all_equal = all_equal && drawn == other.next();
  }
  CHECK(!all_equal);
}

TEST_CASE("more samples are never worse") {
  const Architecture pim = read_architecture("simple_pim");
  const Workload layer = read_workload("resnet18:conv3_x");
  SolveOptions options;
  options.objective = Objective::parse("energy");
  options.method = Method::random;
  options.samples = 5;
  const Solution few = solve(pim, layer, options);
  options.samples = 50;
  const Solution many = solve(pim, layer, options);
  CHECK(few.leaves == 5);
  CHECK(many.goals[0].value <= few.goals[0].value);
}

TEST_CASE("a row that no PE can hold is infeasible within rs, and the reason says so") {
  const Architecture pim = read_architecture("simple_pim");
  const Workload layer = read_workload("alexnet:conv1");
  SolveOptions options;
  options.method = Method::rs;
  const Solution s = solve(pim, layer, options);
  CHECK(s.status == Status::infeasible);
  CHECK(s.reason.find("within the dataflow rs") != std::string::npos);
  CHECK(s.reason.find("PELocalBuffer") != std::string::npos);
}

TEST_CASE("what is best within a dataflow only is not offered for a proof") {
  const Architecture pim = read_architecture("simple_pim");
  const Workload layer = read_workload("resnet18:fc");
  SolveOptions options;
  options.method = Method::os;
  const Solution s = solve(pim, layer, options);
  CHECK(s.status == Status::optimal);
  CHECK_THROWS_AS(prove(pim, layer, options, s), InputError);
}
