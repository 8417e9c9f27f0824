// The commands of DRAM-PIM, one source file each.
#pragma once

#include <vector>

#include "dram_pim/cli/words.hpp"
#include "terminal/command.hpp"

namespace pimbb::dram_pim::cli {

Command map_command();
Command network_command();
Command evaluate_command();
Command audit_command();
Command top_command();
Command explain_command();
Command sensitivity_command();
Command trace_command();
Command export_command();
Command rowmodel_command();
Command explore_command();
Command pareto_command();
Command bench_command();

/// All of them, in the order of the help.
std::vector<Command> commands();

}  // namespace pimbb::dram_pim::cli
