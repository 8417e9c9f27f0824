// What is claimed about a solution, in words: proven optimal, how far from proven, or infeasible.
#pragma once

#include <string>

#include "cli/terminal.hpp"
#include "pimbb/network.hpp"
#include "pimbb/solver.hpp"

namespace pimbb::cli {

/// "optimal, proven: latency 1,806,336 cycles (gap 0)", "limit hit: ...", "infeasible: ...".
std::string verdict(const Style& style, const Solution& solution, bool interrupted);

/// "12,345 nodes, 678 mappings evaluated, 0.12 s, 2 threads"; the last two not if `timeless`.
std::string effort(const Solution& solution, bool timeless);

/// How many distinct layers are proven, and how many are not, and why.
std::string network_verdict(const Style& style, const NetworkSolution& solution);

/// A status in one or two words, for a table: "proven", "gap 3.2 %", "infeasible", "no mapping".
std::string proof_cell(const Style& style, const Solution& solution);

}  // namespace pimbb::cli
