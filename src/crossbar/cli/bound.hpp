// Where the bound of a claim comes from.
#pragma once

#include <string>

#include "crossbar/cli/answer.hpp"
#include "crossbar/cli/words.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::crossbar::cli {

/// A section with the bounds by counting, against the value of the mapping, and that of the search
/// if it is greater; empty if nothing is proven, or by a bound of another kind.
std::string bound_section(const Style& style, const Problem& problem, const Asked& asked,
                          const Answer& answer);

}  // namespace pimbb::crossbar::cli
