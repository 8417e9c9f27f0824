// The program's optimum, found by other people's solvers, is the optimum that solve() proves.
#include <doctest/doctest.h>

#include <cmath>

#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/milp/build.hpp"
#include "dram_pim/milp/external_solver.hpp"
#include "dram_pim/milp/fixed_instances.hpp"
#include "dram_pim/milp/linear_instance.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Answer;
using testkit::ExternalSolver;
using testkit::Instance;
using testkit::Verdict;

namespace {

const ExternalSolver kCbcMps{"cbc", false};
const ExternalSolver kCbcLp{"cbc", true};
const ExternalSolver kGlpsolMps{"glpsol", false};
const ExternalSolver kGlpsolLp{"glpsol", true};

bool there(const ExternalSolver& solver) {
  if (solver.installed()) return true;
  MESSAGE("skipped: " << solver.program << " is not installed");
  return false;
}

/// What is wrong between solve() and the other solver; empty if nothing.
std::string disagreement(const Instance& i, const ExternalSolver& solver) {
  constexpr int kSeconds = 120;
  const Solution ours = solve(i.architecture, i.workload, testkit::options_for(i));
  std::optional<Mapping> known;
  if (ours.mapping) known = mapper::smallest_mapping(i.architecture, i.workload);
  const milp::MappingProgram built = milp::build_program(i.architecture, i.workload, i.objective,
                                                         i.row_model, known ? &*known : nullptr);
  const Answer theirs = solver.solve(built.program, kSeconds);
  if (theirs.verdict == Verdict::no_answer) return solver.program + ":\n" + theirs.output;
  const bool feasible = ours.status == Status::optimal;
  if (feasible != (theirs.verdict == Verdict::optimal)) {
    return feasible ? "only solve() finds a mapping"
                    : "only " + solver.program + " finds a solution";
  }
  if (!feasible) return "";
  const double value = (ours.goals.front().value * built.scale).to_double();
  if (std::abs(value - theirs.value) <= 1e-6 * std::max(1.0, std::abs(value))) return "";
  return "solve(): " + std::to_string(value) + ", " + solver.program + ": " +
         std::to_string(theirs.value);
}

void random_instances(std::uint64_t first, std::size_t count, const testkit::Size& size,
                      const ExternalSolver& solver) {
  if (!there(solver)) return;
  for (std::uint64_t seed = first; seed < first + testkit::cases(count); ++seed) {
    const Instance i = testkit::linear_instance(seed, size);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    CHECK(disagreement(i, solver) == "");
  }
}

}  // namespace

TEST_CASE("random instances, MPS files to cbc") {
  random_instances(10'000, 64, {.macs = 16}, kCbcMps);
}
TEST_CASE("random instances, LP files to cbc") {
  random_instances(20'000, 32, {.macs = 12}, kCbcLp);
}
TEST_CASE("random instances, MPS files to glpsol") {
  random_instances(30'000, 160, {.macs = 12}, kGlpsolMps);
}
TEST_CASE("random instances, LP files to glpsol") {
  random_instances(40'000, 64, {.macs = 12}, kGlpsolLp);
}

TEST_CASE("one instance for each feature, with every goal; row models take turns" *
          doctest::skip(testkit::slow_build())) {
  if (!there(kGlpsolMps)) return;
  std::size_t infeasible = 0;
  std::size_t turn = 0;
  for (auto& fixed : testkit::fixed_instances()) {
    auto& i = fixed.second;
    ++turn;
    for (const Goal goal : testkit::kLinearGoals) {
      i.objective.goals = {goal};
      i.row_model = testkit::kClosedRowModels[++turn % testkit::kClosedRowModels.size()];
      CAPTURE(fixed.first);
      CAPTURE(testkit::to_json(i));
      CHECK(disagreement(i, kGlpsolMps) == "");
    }
    const Solution ours = solve(i.architecture, i.workload, testkit::options_for(i));
    infeasible += ours.status == Status::infeasible ? 1 : 0;
  }
  CHECK(infeasible == 2);
}
