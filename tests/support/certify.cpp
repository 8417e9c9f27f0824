// The checker as a library, on proofs that never touch a file.
#include "support/certify.hpp"

#include <sstream>

#include "support/check_solution.hpp"

namespace testkit {

using namespace pimbb;

Instance provable_instance(std::uint64_t seed, const Size& size) {
  Choices choices(seed);
  Instance instance = random_instance(choices, size);
  if (!provable(instance.row_model)) {
    instance.row_model = seed % 2 == 0 ? RowModel::analytic : RowModel::hybrid;
  }
  return instance;
}

Certified certify(const Instance& i, int threads) {
  SolveOptions options = options_for(i);
  options.threads = threads;
  Solution solution = solve(i.architecture, i.workload, options);
  Proof proof = prove(i.architecture, i.workload, options, solution);
  return {std::move(solution), std::move(proof)};
}

pimbb_check::Report checked(const std::string& proof) {
  std::istringstream stream(proof);
  return pimbb_check::check(stream);
}

std::string objection(const Instance& i, const Solution& solution,
                      const pimbb_check::Report& report) {
  if (!report.accepted) return report.reason;
  const bool infeasible = solution.status == Status::infeasible;
  if (report.optimum.size() != (infeasible ? 0 : i.objective.goals.size())) {
    return "another number of goals";
  }
  for (std::size_t g = 0; g < report.optimum.size(); ++g) {
    const auto& [goal, value] = report.optimum[g];
    if (goal != kGoalNames[static_cast<std::size_t>(i.objective.goals[g])] ||
        value != solution.goals[g].value.to_string()) {
      return goal + " = " + value + ", the solver says " + solution.goals[g].value.to_string();
    }
  }
  return "";
}

}  // namespace testkit
