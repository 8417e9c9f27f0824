// pimbb inside a program: the least-latency mapping of one layer of ResNet-18 onto a preset
// architecture, and the claim that comes with it.
#include <pimbb/pimbb.hpp>

#include <cstdlib>
#include <iostream>

int main() try {
  const auto architecture = pimbb::dram_pim::read_architecture("default_pim");
  const auto layer = pimbb::read_workload("resnet18:conv5_down");

  pimbb::dram_pim::SolveOptions options;
  options.objective = pimbb::dram_pim::Objective::parse("latency");
  const auto solution = pimbb::dram_pim::solve(architecture, layer, options);
  if (!solution.mapping) {
    std::cerr << "no mapping: " << solution.reason << '\n';
    return EXIT_FAILURE;
  }

  const auto violation = pimbb::dram_pim::find_violation(architecture, layer, *solution.mapping);
  const auto metrics =
      pimbb::dram_pim::evaluate(architecture, layer, *solution.mapping, options.row_model);
  std::cout << layer.name << " on " << architecture.name << ": "
            << pimbb::dram_pim::kStatusNames[static_cast<std::size_t>(solution.status)] << ", "
            << metrics.latency.to_string() << " cycles, bound "
            << solution.goals.front().bound.to_string() << ", "
            << (violation ? violation->message : "feasible") << '\n';
} catch (const pimbb::InputError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
