// solve() against exhaustive search on tiny problems: random ones that shrink, and many by seed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "dram_pim/solver/by_seed.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/generators.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::by_seed;
using testkit::Choices;
using testkit::Instance;
using testkit::Size;
using testkit::SolveOptions;

namespace {

oracle::Optimum exhaust(const Instance& i) {
  return oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model);
}

/// What is wrong with the solver on this instance; empty if nothing.
std::string trouble(const Instance& i, SolveOptions options) {
  return testkit::complaint(i, solve(i.architecture, i.workload, options), exhaust(i));
}

/// A fixed seed unless the environment (RC_PARAMS) says otherwise, so that runs repeat.
void configure_rapidcheck() {
  const std::string cases = std::to_string(testkit::cases(300));
  setenv("RC_PARAMS", ("seed=20240607 max_success=" + cases).c_str(), 0);
}

}  // namespace

TEST_CASE("property: the optimum is the exhaustive search's") {
  configure_rapidcheck();
  const bool holds = rc::check("solve() equals exhaustive search", [] {
    const Instance i = *testkit::instances({.macs = 12});
    const std::string wrong = trouble(i, testkit::options_for(i));
    if (!wrong.empty()) RC_FAIL(wrong);
  });
  CHECK(holds);
}

TEST_CASE("mass test by seed, small") {
  by_seed(0, testkit::cases(2000), {.macs = 12},
          [](const Instance& i) { CHECK(trouble(i, testkit::options_for(i)) == ""); });
}

TEST_CASE("mass test by seed, larger") {
  by_seed(1'000'000, testkit::cases(700), {.macs = 36},
          [](const Instance& i) { CHECK(trouble(i, testkit::options_for(i)) == ""); });
}

TEST_CASE("mass test by seed, largest") {
  by_seed(5'000'000, testkit::cases(80), {.macs = 96},
          [](const Instance& i) { CHECK(trouble(i, testkit::options_for(i)) == ""); });
}

TEST_CASE("without bounds and dominance the search visits exactly the feasible mappings") {
  // Loop orders, layouts and array splits are visited as classes; their sizes must add up.
  by_seed(6'000'000, testkit::cases(600), {.macs = 16}, [](Instance i) {
    i.objective = Objective::parse("latency");
    SolveOptions options = testkit::options_for(i);
    for (const Rule rule :
         {Rule::lattice, Rule::lp, Rule::shared, Rule::dominance, Rule::spatial, Rule::symmetry}) {
      options.rules.set(rule, false);
    }
    CHECK(solve(i.architecture, i.workload, options).mappings == exhaust(i).mappings);
  });
}

TEST_CASE("the mapping is the same for every number of threads") {
  by_seed(2'000'000, testkit::cases(300), {.macs = 48}, [](const Instance& i) {
    SolveOptions options = testkit::options_for(i);
    const Solution one = solve(i.architecture, i.workload, options);
    for (const int threads : {2, 4}) {
      options.threads = threads;
      const Solution more = solve(i.architecture, i.workload, options);
      CAPTURE(threads);
      CHECK(testkit::false_claim(i, more) == "");
      CHECK(more.status == one.status);
      CHECK((more.mapping == one.mapping));
      CHECK(more.nodes == one.nodes);
      CHECK(more.memory == one.memory);
    }
  });
}

// UPMEM: nodes with so many tiles that several threads expand them; HBM-PIM: eight storage choices.
TEST_CASE("layers of real size are searched the same by any number of threads") {
  const std::vector<Goal> goals{Goal::latency, Goal::energy, Goal::edp};
  for (std::size_t k = 0; k < testkit::resnet18_layers().size(); ++k) {
    if (k != 1 && !testkit::chosen(k)) continue;
    Instance i{read_architecture(k % 2 == 0 ? "hbm_pim" : "upmem"),
               testkit::resnet18_layer(k),
               {},
               k % 3 == 0 ? RowModel::trace : RowModel::hybrid};
    i.objective.goals = {goals[k % goals.size()]};
    CAPTURE(testkit::to_json(i));
    SolveOptions options = testkit::options_for(i);
    const Solution one = solve(i.architecture, i.workload, options);
    CHECK(one.status == Status::optimal);
    for (const int threads : {2, 3}) {
      options.threads = threads;
      const Solution more = solve(i.architecture, i.workload, options);
      CHECK((more.mapping == one.mapping));
      CHECK(more.nodes == one.nodes);
      CHECK(more.leaves == one.leaves);
      CHECK(more.choices == one.choices);
      CHECK(more.memory == one.memory);
    }
  }
}

TEST_CASE("no rule prunes what matters, alone or with the others") {
  constexpr unsigned kAll = (1U << kRules) - 1U;
  by_seed(3'000'000, testkit::cases(150), {.macs = 12}, [](const Instance& i) {
    const oracle::Optimum optimum = exhaust(i);
    std::vector<unsigned> sets{kAll};
    for (std::size_t k = 0; k < kRules; ++k) sets.insert(sets.end(), {1U << k, kAll & ~(1U << k)});
    for (const unsigned off : sets) {
      SolveOptions options = testkit::options_for(i);
      for (std::size_t k = 0; k < kRules; ++k) {
        options.rules.set(static_cast<Rule>(k), (off >> k & 1U) == 0);
      }
      CAPTURE(off);
      const Solution s = solve(i.architecture, i.workload, options);
      CHECK(testkit::complaint(i, s, optimum) == "");
    }
  });
}

TEST_CASE("goals in turn: every order of three goals") {
  by_seed(4'000'000, testkit::cases(150), {.macs = 12}, [](Instance i) {
    std::vector<Goal> goals{Goal::latency, Goal::energy, Goal::activations};
    do {
      i.objective.goals = goals;
      CAPTURE(i.objective.to_string());
      CHECK(trouble(i, testkit::options_for(i)) == "");
    } while (std::next_permutation(goals.begin(), goals.end()));
  });
}

TEST_CASE("unbounded row buffers under trace, every goal" * doctest::skip(testkit::slow_build())) {
  std::size_t goal = 0;
  by_seed(9'000'000, testkit::cases(500), {.macs = 24}, [&](Instance i) {
    i.architecture.levels[i.architecture.row_buffer()].capacity.reset();
    i.row_model = RowModel::trace;
    if (const std::size_t g = goal++ % (kGoalNames.size() + 1); g < kGoalNames.size()) {
      i.objective.goals = {static_cast<Goal>(g)};
    }
    CHECK(trouble(i, testkit::options_for(i)) == "");
  });
}

TEST_CASE("layers of groups") {
  by_seed(7'000'000, testkit::cases(400), {.macs = 24}, [](Instance i) {
    Factors& bounds = i.workload.bounds;
    std::int64_t& groups = bounds[index(Dim::G)];
    if (groups == 1) std::swap(groups, *std::max_element(bounds.begin(), bounds.end()));
    CHECK(trouble(i, testkit::options_for(i)) == "");
  });
}

TEST_CASE("at the row buffer and the DRAM the best order may have G innermost of several loops") {
  std::size_t needed = 0;
  by_seed(8'000'000, testkit::cases(300), {.macs = 16}, [&](Instance i) {
    i.row_model = RowModel::hybrid;
    i.objective = Objective::parse("activations");
    i.workload.bounds = {1, 1, 3, 1, 1, 2, 1, 2};
    const auto elsewhere = [&](const Mapping& m) {
      return std::none_of(m.levels.begin() + static_cast<std::ptrdiff_t>(m.levels.size()) - 2,
                          m.levels.end(), [](const MappingLevel& level) {
                            return level.loops.size() > 1 && level.loops.back().dim == Dim::G;
                          });
    };
    const oracle::Optimum optimum = exhaust(i);
    const oracle::Optimum without =
        oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model, {elsewhere, {}});
    if (!optimum.values.empty() && optimum.values[0] < without.values.at(0)) ++needed;
    CHECK(testkit::complaint(i, solve(i.architecture, i.workload, testkit::options_for(i)),
                             optimum) == "");
  });
  CHECK((needed > 0 || testkit::cases(300) < 300));
}
