// The report of an exploration: points as a table, the front, what is proven.
#pragma once

#include <string>

#include "pimbb/explore.hpp"
#include "terminal/output_settings.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

/// All points, or those on the front if there are many and the output is not wide.
std::string exploration_report(const Style& style, const Space& space,
                               const Exploration& exploration, const OutputSettings& output);

}  // namespace pimbb::terminal
