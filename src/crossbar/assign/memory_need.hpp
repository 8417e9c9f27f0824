// The memory limit of searches that hold many mappings.
#pragma once

#include "crossbar/assign/problem.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::crossbar::assign {

/// Throws LimitError if so many mappings, each with all nodes in all cores, exceed the limit.
void check_memory(const Problem& problem, const RunLimits& limits, std::int64_t mappings);

}  // namespace pimbb::crossbar::assign
