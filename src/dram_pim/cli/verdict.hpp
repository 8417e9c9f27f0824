// The claim about a solution in words: proven optimal, a proven gap, or infeasible.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/network.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// "optimal, proven: latency 1,806,336 cycles (gap 0)", "limit hit: ...", "infeasible: ...".
std::string verdict(const Style& style, const Solution& solution, bool interrupted);

/// "12,345 nodes, 678 mappings evaluated, 0.12 s, 2 threads"; the last two not if `timeless`.
std::string effort(const Solution& solution, bool timeless);

/// The numbers of distinct layers that are proven and not proven, with the reasons.
std::string network_verdict(const Style& style, const NetworkSolution& solution);

/// The layers that a small padding would help, three of them by name; empty if there is none.
std::string padding_note(const NetworkSolution& solution);

/// A status in one or two words, for a table: "proven", "gap 3.2 %", "infeasible", "no mapping".
std::string proof_cell(const Style& style, const Solution& solution);

}  // namespace pimbb::dram_pim::cli
