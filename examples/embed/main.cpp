// pimbb inside a program: the least-latency mapping of one layer of ResNet-18 onto a preset
// architecture, and the claim that comes with it.
#include <pimbb/pimbb.hpp>

#include <cstdlib>
#include <iostream>

int main() try {
  const auto architecture = pimbb::io::read_architecture("default_pim");
  const auto layer = pimbb::io::read_workload("resnet18:conv5_down");

  pimbb::SolveOptions options;
  options.objective = pimbb::Objective::parse("latency");
  const auto solution = pimbb::solve(architecture, layer, options);
  if (!solution.mapping) {
    std::cerr << "no mapping: " << solution.reason << '\n';
    return EXIT_FAILURE;
  }

  const auto violation = pimbb::find_violation(architecture, layer, *solution.mapping);
  const auto metrics = pimbb::evaluate(architecture, layer, *solution.mapping, options.row_model);
  std::cout << layer.name << " on " << architecture.name << ": "
            << pimbb::kStatusNames[static_cast<std::size_t>(solution.status)] << ", "
            << metrics.latency.to_string() << " cycles, bound "
            << solution.goals.front().bound.to_string() << ", "
            << (violation ? violation->message : "feasible") << '\n';
} catch (const pimbb::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
