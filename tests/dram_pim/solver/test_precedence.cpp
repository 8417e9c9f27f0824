// Optima under a precedence of loops against exhaustive search of the mappings that keep it.
#include <doctest/doctest.h>

#include <algorithm>

#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;
using testkit::Size;
using testkit::SolveOptions;

namespace {

/// Up to two chains of dimensions for every level above 0, apart from each other.
LoopPrecedence random_precedence(Choices& choices, std::size_t levels) {
  LoopPrecedence precedence;
  precedence.inside.resize(levels);
  for (std::size_t m = 1; m < levels; ++m) {
    std::vector<std::size_t> outermost_first;
    std::array<std::size_t, kDims> chain{};
    for (std::size_t j = 0; j < kDims; ++j) {
      chain.at(j) = choices.pick(3);
      const std::size_t at = choices.pick(j + 1);
      outermost_first.insert(outermost_first.begin() + static_cast<std::ptrdiff_t>(at), j);
    }
    for (std::size_t outer = 0; outer < kDims; ++outer) {
      for (std::size_t inner = outer + 1; inner < kDims; ++inner) {
        const std::size_t j = outermost_first[outer];
        const std::size_t k = outermost_first[inner];
        if (chain.at(j) == 0 || chain.at(j) != chain.at(k)) continue;
        precedence.inside[m].at(j) |= static_cast<std::uint8_t>(1U << k);
      }
    }
  }
  return precedence;
}

/// Written from the definition: no two loops of a level the wrong way round.
bool keeps(const Mapping& mapping, const LoopPrecedence& precedence) {
  for (std::size_t m = 0; m < mapping.levels.size(); ++m) {
    const auto& loops = mapping.levels[m].loops;
    for (std::size_t outer = 0; outer < loops.size(); ++outer) {
      for (std::size_t inner = outer + 1; inner < loops.size(); ++inner) {
        const auto outer_bit = 1U << index(loops[outer].dim);
        if ((precedence.inside[m][index(loops[inner].dim)] & outer_bit) != 0) return false;
      }
    }
  }
  return true;
}

std::string trouble(const Instance& i, const oracle::Optimum& optimum,
                    const SolveOptions& options) {
  const Solution s = solve(i.architecture, i.workload, options);
  if (optimum.values.empty()) {
    return s.status == Status::infeasible ? "" : "solves the impossible";
  }
  if (s.status != Status::optimal) return "not proven";
  if (!keeps(*s.mapping, options.precedence)) return "does not keep the precedence";
  for (std::size_t k = 0; k < s.goals.size(); ++k) {
    if (oracle::Fraction(s.goals[k].value) != optimum.values[k]) {
      return s.goals[k].value.to_string() + " instead of " + optimum.values[k].to_string();
    }
  }
  return "";
}

template <class Check>
void by_seed_and_precedence(std::uint64_t first, std::size_t count, const Size& size,
                            const Check& check) {
  const std::uint64_t start = testkit::first_seed(first);
  for (std::uint64_t seed = start; seed < start + count; ++seed) {
    Choices choices(seed);
    const Instance i = testkit::random_instance(choices, size);
    SolveOptions options = testkit::options_for(i);
    options.precedence = random_precedence(choices, i.architecture.levels.size());
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    check(i, options);
  }
}

oracle::Optimum exhaust_in_order(const Instance& i, const SolveOptions& options) {
  return oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model,
                             {[&](const Mapping& m) { return keeps(m, options.precedence); }, {}});
}

}  // namespace

TEST_CASE("the optimum under a precedence is the exhaustive search's, small") {
  by_seed_and_precedence(0, testkit::cases(1500), {.macs = 12},
                         [](const Instance& i, const SolveOptions& options) {
                           CHECK(trouble(i, exhaust_in_order(i, options), options) == "");
                         });
}

TEST_CASE("the optimum under a precedence is the exhaustive search's, larger") {
  by_seed_and_precedence(1'000'000, testkit::cases(300), {.macs = 36},
                         [](const Instance& i, const SolveOptions& options) {
                           CHECK(trouble(i, exhaust_in_order(i, options), options) == "");
                         });
}

TEST_CASE("no rule prunes what matters under a precedence") {
  by_seed_and_precedence(2'000'000, testkit::cases(60), {.macs = 12},
                         [](const Instance& i, const SolveOptions& options) {
                           const oracle::Optimum optimum = exhaust_in_order(i, options);
                           for (std::size_t k = 0; k < kRules; ++k) {
                             SolveOptions without = options;
                             without.rules.set(static_cast<Rule>(k), false);
                             CAPTURE(kRuleNames[k]);
                             CHECK(trouble(i, optimum, without) == "");
                           }
                         });
}

TEST_CASE("without bounds and dominance the search visits exactly the mappings that keep it") {
  by_seed_and_precedence(
      3'000'000, testkit::cases(200), {.macs = 16}, [](Instance i, SolveOptions options) {
        i.objective = options.objective = Objective::parse("latency");
        for (const Rule rule : {Rule::lattice, Rule::lp, Rule::shared, Rule::dominance,
                                Rule::spatial, Rule::symmetry}) {
          options.rules.set(rule, false);
        }
        CHECK(solve(i.architecture, i.workload, options).mappings ==
              exhaust_in_order(i, options).mappings);
      });
}

TEST_CASE("a limit leaves a mapping that keeps the precedence") {
  by_seed_and_precedence(4'000'000, testkit::cases(200), {.macs = 24},
                         [](const Instance& i, SolveOptions options) {
                           options.node_limit = 1;
                           Solution s = solve(i.architecture, i.workload, options);
                           if (s.mapping) CHECK(keeps(*s.mapping, options.precedence));
                           options.node_limit.reset();
                           options.time_limit = 1e-9;
                           s = solve(i.architecture, i.workload, options);
                           if (s.mapping) CHECK(keeps(*s.mapping, options.precedence));
                         });
}

TEST_CASE("what is no precedence is refused") {
  Choices choices(1);
  const Instance i = testkit::random_instance(choices, {});
  SolveOptions options = testkit::options_for(i);
  options.precedence.inside.resize(3);
  options.precedence.inside[1][index(Dim::K)] = 1U << index(Dim::C);
  Solution solution = solve(i.architecture, i.workload, options);
  CHECK_THROWS_AS(prove(i.architecture, i.workload, options, solution), InputError);
  options.method = Method::ws;
  CHECK_THROWS_AS(solve(i.architecture, i.workload, options), InputError);
  options.method = Method::exact;
  options.precedence.inside[1][index(Dim::C)] = 1U << index(Dim::K);
  CHECK_THROWS_AS(solve(i.architecture, i.workload, options), InputError);
  options.precedence.inside[1] = {};
  options.precedence.inside[0][0] = 2;
  CHECK_THROWS_AS(solve(i.architecture, i.workload, options), InputError);
  options.precedence.inside[0][0] = 0;
  options.precedence.inside.resize(20);
  CHECK_THROWS_AS(solve(i.architecture, i.workload, options), InputError);
}
