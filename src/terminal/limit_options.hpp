// The options that limit a search: threads, time, nodes, memory.
#pragma once

#include "pimbb/run_limits.hpp"
#include "terminal/option_row.hpp"

namespace pimbb::terminal {

OptionRow threads_row(RunLimits& limits);
OptionRow time_limit_row(RunLimits& limits);
OptionRow node_limit_row(RunLimits& limits);
OptionRow memory_limit_row(RunLimits& limits);
/// All of these.
OptionRows limit_rows(RunLimits& limits);

}  // namespace pimbb::terminal
