// Whether a layer has a mapping at all within limits on goals.
#pragma once

#include "pimbb/cim/solver.hpp"

namespace pimbb::cim::mapper {

/// A mapping that the question admits, the first one found: `optimal` or `feasible`; or
/// `infeasible`, or `unknown` without a mapping after a limit. The first goal guides the search.
/// Requires one goal, a method that is not `greedy` and semantics that are not `simulator`. Throws
/// what solve() does.
Solution any_mapping(const Architecture& architecture, const Workload& workload,
                     const Question& question, const RunLimits& limits);

}  // namespace pimbb::cim::mapper
