// The table of the wing's commands.
#include "crossbar/cli/commands.hpp"

namespace pimbb::crossbar::cli {

std::vector<Command> commands() {
  return {network_command(),  pareto_command(),      top_command(),
          explain_command(),  sensitivity_command(), explore_command(),
          evaluate_command(), audit_command(),       bench_command()};
}

}  // namespace pimbb::crossbar::cli
