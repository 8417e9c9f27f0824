// A restricted question against the whole space: what the restriction costs.
#pragma once

#include <optional>
#include <string>

#include "cim/cli/words.hpp"
#include "files/json_text.hpp"
#include "pimbb/cim/solver.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::cim::cli {

/// `value / optimum`, 1 where the optimum is 0.
Rational ratio_of(const Rational& value, const Rational& optimum);

/// Solves the unrestricted question with what `spent` left of the limits; nothing if the question
/// is not restricted, or has no mapping.
std::optional<Solution> solve_whole_space(const Architecture& architecture,
                                          const Workload& workload, const Question& question,
                                          const RunLimits& limits, const Solution& spent);

/// "edp 1.035 times the optimum 9,432,001 nJ*cycles", a line for each goal.
std::string comparison_text(const Style& style, const Solution& restricted, const Solution& whole);

/// Status, and for each goal value, bound and ratio.
files::Json comparison_json(const Objective& objective, const Solution& restricted,
                            const Solution& whole);

}  // namespace pimbb::cim::cli
