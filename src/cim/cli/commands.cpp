// The table of the wing's commands.
#include "cim/cli/commands.hpp"

namespace pimbb::cim::cli {

std::vector<Command> commands() {
  return {map_command(),         network_command(), explore_command(), evaluate_command(),
          audit_command(),       pareto_command(),  top_command(),     explain_command(),
          sensitivity_command(), trace_command(),   bench_command()};
}

}  // namespace pimbb::cim::cli
