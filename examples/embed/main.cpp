// pimbb inside a program: the least-latency mapping of one layer of ResNet-18 onto a preset
// architecture, and the claim that comes with it.
#include <pimbb/pimbb.hpp>

#include <cstdlib>
#include <iostream>

namespace pim = pimbb::dram_pim;

int main() try {
  const auto architecture = pim::read_architecture("default_pim");
  const auto layer = pimbb::read_workload("resnet18:conv5_down");

  const pim::Question question{.objective = pim::Objective::parse("latency")};
  const auto solution = pim::solve(architecture, layer, question, {.time_limit = 60});
  if (!solution.mapping) {
    std::cerr << "no mapping: " << solution.reason << '\n';
    return EXIT_FAILURE;
  }

  const auto violation = pim::find_violation(architecture, layer, *solution.mapping);
  const auto metrics = pim::evaluate(architecture, layer, *solution.mapping, question.row_model);
  std::cout << layer.name << " on " << architecture.name << ": " << name(solution.status) << ", "
            << metrics.latency.to_string() << " cycles, bound "
            << solution.goals.front().bound.to_string() << ", "
            << (violation ? violation->message : "feasible") << '\n';
} catch (const pimbb::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
