// Constraints on mappings: the optimum among those that satisfy them, its proof, and the proof that
// there are none.
#include <doctest/doctest.h>

#include <sstream>

#include "pimbb-check/check.hpp"
#include "pimbb/dram_pim/audit.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/oracle_dataflow.hpp"
#include "support/random_constraints.hpp"
#include "support/solve_options.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;
using testkit::Size;
using testkit::SolveOptions;
using texts::contains;
using texts::error_of;

namespace {

oracle::Optimum exhaust_constrained(const Instance& i, const SolveOptions& options) {
  oracle::Restriction part = testkit::part_of(options.constraints);
  if (is_dataflow(options.method)) {
    part = oracle::both(part, oracle::within(i.architecture, i.workload, options.method));
  }
  return oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model, part);
}

std::string objection_to(const std::string& proof) {
  std::istringstream stream(proof);
  return pimbb_check::check(stream).reason;
}

/// What is wrong with a solution; with `certified`, also with its proof.
std::string trouble(const Instance& i, const oracle::Optimum& optimum, const SolveOptions& options,
                    const Solution& s, bool certified) {
  if (optimum.values.empty() != (s.status == Status::infeasible)) return "wrong status";
  if (optimum.values.empty() && s.reason.empty()) return "infeasible without a reason";
  if (!optimum.values.empty()) {
    if (s.status != Status::optimal) return "not proven";
    if (!testkit::part_of(options.constraints).loops(*s.mapping)) return "breaks a constraint";
    if (find_breach(i.architecture, *s.mapping, options.constraints)) return "reports a breach";
    for (std::size_t k = 0; k < s.goals.size(); ++k) {
      if (oracle::Fraction(s.goals[k].value) != optimum.values[k]) {
        return s.goals[k].value.to_string() + " instead of " + optimum.values[k].to_string();
      }
    }
  }
  return certified ? objection_to(prove(i.architecture, i.workload, options, s).text) : "";
}

/// How many of the problems have a mapping.
template <class Check>
std::size_t by_seed_and_constraints(std::uint64_t first, std::size_t count, const Size& size,
                                    const Check& check) {
  const std::uint64_t start = testkit::first_seed(first);
  std::size_t feasible = 0;
  for (std::uint64_t seed = start; seed < start + count; ++seed) {
    Choices choices(seed);
    const Instance i = testkit::random_instance(choices, size);
    SolveOptions options = testkit::options_for(i);
    options.constraints = testkit::random_constraints(choices, i);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    std::string constraints;
    for (const std::string& text : constraint_texts(i.architecture, options.constraints)) {
      constraints += text + "; ";
    }
    CAPTURE(constraints);
    feasible += check(i, options) ? 1 : 0;
  }
  return feasible;
}

}  // namespace

TEST_CASE("the optimum under constraints is the exhaustive search's, and certified") {
  const std::size_t count = testkit::cases(1500);
  const std::size_t feasible = by_seed_and_constraints(
      20'000'000, count, {.macs = 24}, [](const Instance& i, const SolveOptions& options) {
        const oracle::Optimum optimum = exhaust_constrained(i, options);
        const Solution s = solve(i.architecture, i.workload, options);
        CHECK(trouble(i, optimum, options, s, true) == "");
        return !optimum.values.empty();
      });
  CHECK(feasible > count / 3);
  CHECK(feasible < count);
}

TEST_CASE("constraints on a machine whose input has a free order") {
  by_seed_and_constraints(26'000'000, testkit::cases(400), {.macs = 18},
                          [](Instance i, const SolveOptions& options) {
                            i.architecture.input_order = InputOrder::free;
                            const oracle::Optimum optimum = exhaust_constrained(i, options);
                            const Solution s = solve(i.architecture, i.workload, options);
                            CHECK(trouble(i, optimum, options, s, true) == "");
                            return true;
                          });
}

TEST_CASE("constraints within dataflows") {
  by_seed_and_constraints(
      21'000'000, testkit::cases(400), {.macs = 18}, [](const Instance& i, SolveOptions options) {
        for (const Method method : {Method::ws, Method::os, Method::is, Method::rs}) {
          CAPTURE(name(method));
          options.method = method;
          const oracle::Optimum optimum = exhaust_constrained(i, options);
          const Solution s = solve(i.architecture, i.workload, options);
          CHECK(trouble(i, optimum, options, s, false) == "");
        }
        return true;
      });
}

TEST_CASE("no rule prunes what matters under constraints") {
  by_seed_and_constraints(22'000'000, testkit::cases(80), {.macs = 16},
                          [](const Instance& i, const SolveOptions& options) {
                            const oracle::Optimum optimum = exhaust_constrained(i, options);
                            for (std::size_t k = 0; k < kRules; ++k) {
                              SolveOptions without = options;
                              without.rules.set(static_cast<Rule>(k), false);
                              CAPTURE(kRuleNames[k]);
                              const Solution s = solve(i.architecture, i.workload, without);
                              CHECK(trouble(i, optimum, without, s, false) == "");
                            }
                            return true;
                          });
}

TEST_CASE("without bounds and dominance the search visits exactly the mappings that satisfy them") {
  by_seed_and_constraints(
      23'000'000, testkit::cases(200), {.macs = 16}, [](Instance i, SolveOptions options) {
        i.objective = options.objective = Objective::parse("latency");
        for (const Rule rule : {Rule::lattice, Rule::lp, Rule::shared, Rule::dominance,
                                Rule::spatial, Rule::symmetry}) {
          options.rules.set(rule, false);
        }
        for (const Method method : {Method::exact, Method::ws, Method::os}) {
          CAPTURE(name(method));
          options.method = method;
          CHECK(solve(i.architecture, i.workload, options).mappings ==
                exhaust_constrained(i, options).mappings);
        }
        return true;
      });
}

TEST_CASE("constraints beside a limit on a goal, and under limits of effort") {
  by_seed_and_constraints(
      24'000'000, testkit::cases(200), {.macs = 24}, [](const Instance& i, SolveOptions options) {
        Solution s = solve(i.architecture, i.workload, options);
        if (!s.mapping) return false;
        SolveOptions capped = options;
        capped.caps = {{Goal::energy, s.metrics->energy * Rational(9, 10)}};
        const Solution cheaper = solve(i.architecture, i.workload, capped);
        CHECK(objection_to(prove(i.architecture, i.workload, capped, cheaper).text) == "");
        options.node_limit = 1;
        s = solve(i.architecture, i.workload, options);
        if (s.mapping) CHECK(!find_breach(i.architecture, *s.mapping, options.constraints));
        options.node_limit.reset();
        options.time_limit = 1e-9;
        s = solve(i.architecture, i.workload, options);
        if (s.mapping) CHECK(!find_breach(i.architecture, *s.mapping, options.constraints));
        return true;
      });
}

TEST_CASE("a proof under constraints is not one under others") {
  std::size_t different = 0;
  by_seed_and_constraints(25'000'000, testkit::cases(300), {.macs = 24},
                          [&](const Instance& i, const SolveOptions& options) {
                            SolveOptions free = options;
                            free.constraints = {};
                            const auto proof_of = [&](const SolveOptions& o, const Solution& s) {
                              return prove(i.architecture, i.workload, o, s).text;
                            };
                            const Solution tight = solve(i.architecture, i.workload, options);
                            const Solution loose = solve(i.architecture, i.workload, free);
                            if (!options.constraints.any() || !loose.mapping) return false;
                            if (tight.mapping && tight.goals[0].value == loose.goals[0].value)
                              return true;
                            ++different;
                            const auto with_problem_of = [](const std::string& proof,
                                                            const std::string& other) {
                              const auto end = [](const std::string& t) {
                                return t.find('\n', t.find("\ninstance ") + 1);
                              };
                              return other.substr(0, end(other)) + proof.substr(end(proof));
                            };
                            const std::string constrained = proof_of(options, tight);
                            const std::string unconstrained = proof_of(free, loose);
                            CHECK(objection_to(constrained) == "");
                            CHECK(contains(constrained, "\"constraints\":{"));
                            CHECK(!contains(unconstrained, "constraints"));
                            CHECK(objection_to(with_problem_of(constrained, unconstrained)) != "");
                            CHECK(objection_to(with_problem_of(unconstrained, constrained)) != "");
                            return true;
                          });
  CHECK(different > testkit::cases(300) / 10);
}

TEST_CASE("the reason that there is no mapping lists the constraints") {
  Workload w;
  w.bounds[index(Dim::K)] = 4;
  SolveOptions options;
  options.constraints.temporal.resize(3);
  for (const std::size_t m : {0, 2}) options.constraints.temporal[m][index(Dim::K)] = {4, 4};
  const Architecture a = testkit::simple_pim();
  const std::vector<std::string> texts = constraint_texts(a, options.constraints);
  REQUIRE(texts.size() == 2);
  const Solution s = solve(a, w, options);
  CHECK(s.status == Status::infeasible);
  CHECK(s.reason == "no mapping satisfies all constraints (" + texts[0] + ", " + texts[1] + ")");
}

TEST_CASE("what constraints cannot say is refused") {
  Choices choices(1);
  const Instance i = testkit::random_instance(choices, {});
  SolveOptions options = testkit::options_for(i);
  const auto refusal = [&] {
    return error_of([&] { (void)solve(i.architecture, i.workload, options); });
  };
  options.constraints.temporal.resize(20);
  CHECK(contains(refusal(), "more levels"));
  options.constraints = {};
  options.constraints.temporal.resize(1);
  options.constraints.temporal[0][index(Dim::K)] = {3, 2};
  CHECK(contains(refusal(), "empty range"));
  options.constraints.temporal[0][index(Dim::K)] = {1009, 1009};
  CHECK(contains(refusal(), ".K = 1009: allowed are divisors of K = "));
  options.constraints = {};
  options.constraints.orders.inside.resize(2);
  options.constraints.orders.inside[0][index(Dim::K)] = 1U << index(Dim::C);
  CHECK(contains(refusal(), "order"));
  options.constraints.orders.inside[0] = {};
  options.constraints.orders.inside[1][index(Dim::K)] = 1U << index(Dim::C);
  options.precedence.inside = options.constraints.orders.inside;
  CHECK(contains(refusal(), "precedence"));
  options.precedence = {};
  options.method = Method::greedy;
  CHECK(contains(refusal(), "found some with method 'greedy'"));
}

TEST_CASE("a given mapping is audited within constraints that it satisfies") {
  std::size_t audited = 0;
  std::size_t refused = 0;
  by_seed_and_constraints(26'000'000, testkit::cases(100), {.macs = 24},
                          [&](const Instance& i, const SolveOptions& options) {
                            SolveOptions free = options;
                            free.constraints = {};
                            const Solution best = solve(i.architecture, i.workload, free);
                            if (!best.mapping) return false;
                            const auto run = [&] {
                              return audit(i.architecture, i.workload, *best.mapping, options,
                                           options);
                            };
                            if (find_breach(i.architecture, *best.mapping, options.constraints)) {
                              CHECK(contains(error_of(run), "does not satisfy the constraints"));
                              ++refused;
                            } else {
                              CHECK(run().standing == Standing::optimal);
                              ++audited;
                            }
                            return true;
                          });
  CHECK((audited > 0 || testkit::slow_build()));
  CHECK((refused > 0 || testkit::slow_build()));
}
