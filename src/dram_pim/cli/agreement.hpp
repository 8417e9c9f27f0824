// The report on a network that was solved as one problem: the claim, the configuration that the
// layers agree on, and its cost.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/network.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// "optimal, proven: edp 20,792,036,011,809,980 (gap 0)", and a line for each agreed choice.
std::string joint_verdict(const Style& style, const Architecture& architecture,
                          const NetworkSolution& solution);

}  // namespace pimbb::dram_pim::cli
