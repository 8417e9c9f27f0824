// A network that was solved as one problem, for people: the claim, what the layers agree on, and
// what that costs.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/network.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// Whether the layers are solved together, so that the claim is about all of them at once.
bool solved_as_one(const Question& question, const JointOptions& joint);

/// "optimal, proven: edp 20,792,036,011,809,980 (gap 0)", and a line for everything agreed.
std::string joint_verdict(const Style& style, const Architecture& architecture,
                          const NetworkSolution& solution);

}  // namespace pimbb::dram_pim::cli
