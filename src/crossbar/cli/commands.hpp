// The commands of crossbar accelerators, one source file each.
#pragma once

#include <vector>

#include "crossbar/cli/words.hpp"
#include "terminal/command.hpp"

namespace pimbb::crossbar::cli {

Command network_command();
Command pareto_command();
Command top_command();
Command explore_command();
Command explain_command();
Command sensitivity_command();
Command evaluate_command();
Command audit_command();
Command bench_command();

/// All of them; those of the same names as other kinds' share their place in the help.
std::vector<Command> commands();

}  // namespace pimbb::crossbar::cli
