// The claim about a solution in words: proven optimal, a proven gap, or infeasible.
#pragma once

#include <string>

#include "cim/cli/words.hpp"
#include "files/json_text.hpp"
#include "pimbb/cim/solver.hpp"
#include "terminal/log.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::cim::cli {

/// The value of a goal with its unit: "1,806,336 cycles", "52.1 nJ".
std::string with_unit(Goal goal, const Rational& value);
/// " cycles", " nJ", ...; nothing for a blend.
const char* unit_suffix(Goal goal);

/// "optimal, proven: latency 1,806,336 cycles (gap 0)", "limit hit: ...", "infeasible: ...".
std::string verdict(const Style& style, const Question& question, const Solution& solution,
                    bool interrupted);

/// A status in one or two words, for a table.
std::string proof_cell(const Style& style, const Solution& solution);

/// "3 of 1,744 schemes searched, 12,345 labels, 0.12 s, 2 threads"; the last two not if `timeless`.
std::string effort(const Solution& solution, bool timeless);

/// A line of the log with the status, the goals and the counts.
void log_solution(Log& log, const std::string& event, const Solution& solution);

}  // namespace pimbb::cim::cli
