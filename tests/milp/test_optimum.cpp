// The linear program's optimum, found by other people's solvers, is the optimum that solve()
// proves.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "milp/build.hpp"
#include "milp/external_solver.hpp"
#include "pimbb/solver.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"

using namespace pimbb;
using testkit::Answer;
using testkit::Choices;
using testkit::Instance;
using testkit::Size;
using testkit::Verdict;

namespace {

constexpr std::array<Goal, 4> kLinearGoals{Goal::latency, Goal::energy, Goal::activations,
                                           Goal::blended};

/// A random instance with a linear objective and a closed row model.
Instance linear_instance(std::uint64_t seed, const Size& size) {
  Choices choices(seed);
  Instance i = testkit::random_instance(choices, size);
  i.objective.goals = {kLinearGoals[seed % kLinearGoals.size()]};
  i.row_model = seed / kLinearGoals.size() % 2 == 0 ? RowModel::hybrid : RowModel::analytic;
  return i;
}

std::string compare(const Instance& i, const testkit::ExternalSolver& solver) {
  const Solution ours = solve(i.architecture, i.workload, testkit::options_for(i));
  const milp::Model model = milp::build_model(i.architecture, i.workload, i.objective, i.row_model);
  const Answer theirs = solver.solve(model, 60);
  if (theirs.verdict == Verdict::no_answer)
    return solver.program + " has no answer:\n" + theirs.output;
  const bool feasible = ours.status == Status::optimal;
  if (feasible != (theirs.verdict == Verdict::optimal)) {
    return feasible ? "only solve() finds a mapping" : "only the program has a solution";
  }
  if (!feasible) return "";
  const double value = (ours.goals.front().value * model.scale()).to_double();
  if (std::abs(value - theirs.value) <= 1e-6 * std::max(1.0, std::abs(value))) return "";
  return "solve() says " + std::to_string(value) + ", " + solver.program + " says " +
         std::to_string(theirs.value);
}

}  // namespace

TEST_CASE("random instances") {
  const testkit::ExternalSolver solver{getenv("SOLVER"), getenv("LP") != nullptr};
  const std::uint64_t first = std::stoull(getenv("FIRST"));
  for (std::uint64_t seed = first; seed < first + std::stoull(getenv("COUNT")); ++seed) {
    const Instance i = linear_instance(seed, {.macs = 12});
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    CHECK(compare(i, solver) == "");
  }
}
