// The best layouts for a mapping whose loops, unrolling and storage are given.
#pragma once

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::heuristic {

/// `mapping` with the layout of each tensor (and the input's block) that has the fewest row
/// activations; sequential if both layouts have equally many. `mapping` must be feasible with all
/// tensors sequential.
///
/// No choice of layouts is better in any goal: a tensor's layout affects only its own N_act, and
/// latency, energy and hence every goal are non-decreasing in each N_act (time and energy of an
/// activation are not negative).
Mapping with_best_layouts(const Architecture& architecture, const Workload& workload,
                          Mapping mapping, RowModel row_model);

}  // namespace pimbb::dram_pim::heuristic
