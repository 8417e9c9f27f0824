// A summary of a network in a few lines.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <cstdint>
#include <span>
#include <string>

#include "pimbb/dram_pim/network.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// The number of layers: nodes of the graph, or without a graph the sum of all repetitions.
std::int64_t layer_count(const Network& network);

/// For a graph: the number of layers by operator, and the operators that are passed through or
/// skipped, one line each. Empty for a network without a graph.
std::string graph_notes(const Style& style, const Network& network);

/// Lines with the layers and nodes that are in no total, empty if there are none.
std::string left_out_note(const Style& style, const Network& network,
                          std::span<const LayerSolution> layers);

/// A line with the bytes and rows of the operators that are no layers, empty if there are none.
std::string traffic_note(const Style& style, const Architecture& architecture,
                         const Network& network);

}  // namespace pimbb::dram_pim::cli
