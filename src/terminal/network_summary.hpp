// A summary of a network in a few lines, for any kind of accelerator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pimbb/network.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

/// The number of layers: nodes of the graph, or without a graph the sum of all repetitions.
std::int64_t layer_count(const Network& network);

/// For a graph: the number of layers by operator, and the operators that are passed through or
/// skipped, one line each. Empty for a network without a graph.
std::string graph_notes(const Style& style, const Network& network);

/// The head of a report: `given`, with layers that are equal in `merged`, the accelerator, the
/// task.
std::string network_heading(const Style& style, const Network& given, const Network& merged,
                            const std::string& accelerator, const std::string& task);

/// Lines with the layers, those named without a mapping, and nodes that are in no total; empty if
/// there are none.
std::string left_out_note(const Style& style, const Network& network,
                          const std::vector<std::string>& layers);

}  // namespace pimbb::terminal
