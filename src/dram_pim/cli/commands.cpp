// The table of the wing's commands.
#include "dram_pim/cli/commands.hpp"

namespace pimbb::dram_pim::cli {

std::vector<Command> commands() {
  return {map_command(),         network_command(), explore_command(), evaluate_command(),
          audit_command(),       top_command(),     pareto_command(),  explain_command(),
          sensitivity_command(), trace_command(),   export_command(),  rowmodel_command(),
          bench_command()};
}

}  // namespace pimbb::dram_pim::cli
