// Limits on goals: the optimum within them, its proof, and the proof that there is none.
#include <doctest/doctest.h>

#include <sstream>

#include "pimbb-check/check.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/solve_options.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;
using testkit::SolveOptions;
using texts::contains;

TEST_CASE("limits on goals: exhaustion agrees, and the checker accepts") {
  const testkit::Size small{.macs = 24};
  constexpr std::array kGoalsInTurn{Goal::latency, Goal::energy, Goal::edp, Goal::activations};
  std::size_t within = 0;
  std::size_t none = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(300); ++seed) {
    Choices choices(13'000'000 + seed);
    Instance i = testkit::random_instance(choices, small);
    const Goal goal = kGoalsInTurn[seed % kGoalsInTurn.size()];
    const Goal limited =
        kGoalsInTurn[(seed / kGoalsInTurn.size() + seed + 1) % kGoalsInTurn.size()];
    i.objective.goals = {goal};
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    // All mappings: value of the goal, value of the limited one.
    std::vector<std::pair<Rational, Rational>> all;
    const oracle::CostOracle costs(i.architecture, i.workload, i.row_model);
    oracle::for_each_mapping(i.architecture, i.workload, [&](const Mapping& m) {
      const Metrics metrics = evaluate(i.architecture, i.workload, m, i.row_model);
      all.emplace_back(i.objective.value(goal, metrics), i.objective.value(limited, metrics));
    });
    if (all.empty()) continue;
    const auto second = [](const auto& pair) { return pair.second; };
    const Rational low = std::ranges::min(all, {}, second).second;
    const Rational high = std::ranges::min(all).second;  // where the goal is least
    for (const Rational& most : {low, (low + high) / 2, high, low * Rational(99, 100)}) {
      CAPTURE(most.to_string());
      std::optional<Rational> best;
      for (const auto& [value, other] : all) {
        if (other <= most && (!best || value < *best)) best = value;
      }
      SolveOptions options = testkit::options_for(i);
      options.caps = {{limited, most}};
      const Solution s = solve(i.architecture, i.workload, options);
      CHECK(s.status == (best ? Status::optimal : Status::infeasible));
      if (best && s.mapping) CHECK(s.goals[0].value == *best);
      ++(best ? within : none);
      std::istringstream proof(prove(i.architecture, i.workload, options, s).text);
      const pimbb_check::Report report = pimbb_check::check(proof);
      CHECK(report.reason == "");
      // The limit is part of the problem.
      CHECK(contains(report.problem, std::string(name(limited)) + " at most " + most.to_string()));
    }
  }
  CHECK(within > testkit::cases(300) / 2);
  CHECK(none > testkit::cases(300) / 20);
}

TEST_CASE("a proof under a limit is not one under another limit") {
  const Instance i{testkit::simple_pim(), testkit::resnet18_layers()[8], Objective::parse("energy"),
                   RowModel::hybrid};
  SolveOptions options = testkit::options_for(i);
  SolveOptions fast;
  fast.row_model = RowModel::hybrid;
  const Rational fastest = solve(i.architecture, i.workload, fast).goals[0].value;
  const auto text = [&](const Rational& most) {
    options.caps = {{Goal::latency, most}};
    return prove(i.architecture, i.workload, options, solve(i.architecture, i.workload, options))
        .text;
  };
  const auto accepted = [](const std::string& proof) {
    std::istringstream stream(proof);
    return pimbb_check::check(stream).accepted;
  };
  const std::string tight = text(fastest);
  const std::string loose = text(fastest * 2);
  const std::string none = text(fastest / 2);
  CHECK(accepted(tight));
  CHECK(accepted(loose));
  CHECK(accepted(none));
  // The mapping and the tree of one with the problem of another.
  const auto with_problem_of = [](const std::string& proof, const std::string& other) {
    const auto end = [](const std::string& t) { return t.find('\n', t.find("\ninstance ") + 1); };
    return other.substr(0, end(other)) + proof.substr(end(proof));
  };
  CHECK_FALSE(accepted(with_problem_of(none, loose)));
  CHECK_FALSE(accepted(with_problem_of(loose, tight)));
  CHECK_FALSE(accepted(with_problem_of(tight, none)));
}
