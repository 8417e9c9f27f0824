// One iteration of each loop in its steady state: which transfers are hidden behind the work of the
// loops inside, and which stall it.
#pragma once

#include <string>

#include "cim/cli/words.hpp"
#include "pimbb/cim/cost.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::cim::cli {

/// A line for each loop that moves data, and below it a bar of its iteration for each tensor that
/// moves.
std::string draw_timeline(const Style& style, const Architecture& architecture,
                          const Workload& workload, const Mapping& mapping, const Metrics& metrics);

}  // namespace pimbb::cim::cli
