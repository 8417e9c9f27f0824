// The best layouts for a mapping whose loops, unrolling and storage are given.
#pragma once

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::heuristic {

/// `mapping` with the layout, and the input's block, that activates the fewest rows, tensor by
/// tensor; sequential where equal. `mapping` is feasible if all its tensors are sequential.
///
/// No choice of layouts is better in any goal: a tensor's layout decides its own N_act and nothing
/// else of the cost, and latency, energy and hence every goal grow with each N_act (spec 5: times
/// and energies of an activation are not negative).
Mapping with_best_layouts(const Architecture& architecture, const Workload& workload,
                          Mapping mapping, RowModel row_model);

}  // namespace pimbb::dram_pim::heuristic
