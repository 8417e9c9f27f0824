// A summary of a network in a few lines.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <span>
#include <string>

#include "pimbb/dram_pim/network.hpp"
#include "terminal/network_summary.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// Goals without a column of their own: latency, energy and activations have one.
std::vector<Goal> extra_goals(const Objective& objective);

/// Lines with the layers and nodes that are in no total, empty if there are none.
std::string left_out_note(const Style& style, const Network& network,
                          std::span<const LayerSolution> layers);

/// A line with the bytes and rows of the operators that are no layers, empty if there are none.
std::string traffic_note(const Style& style, const Architecture& architecture,
                         const Network& network);

}  // namespace pimbb::dram_pim::cli
