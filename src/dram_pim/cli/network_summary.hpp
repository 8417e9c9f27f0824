// What a network consists of, in a few lines: for the report on it and for its description.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <cstdint>
#include <string>

#include "pimbb/dram_pim/network.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// Layers as the network has them: of a graph its nodes, else the sum of all repetitions.
std::int64_t layer_count(const Network& network);

/// Of a graph: how many layers of which operator there are, and what was passed through; a line
/// each. Empty for a network without a graph.
std::string graph_notes(const Style& style, const Network& network);

}  // namespace pimbb::dram_pim::cli
