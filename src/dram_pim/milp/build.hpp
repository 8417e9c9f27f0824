// The mapping problem of one layer as a mixed-integer linear program with the same optimum.
//
// The only true decisions are binaries: unrolling and tiles (tiling.hpp), classes of loop orders
// and runs (orders.hpp), hops that say what is stored where (routes.hpp), layouts (row_costs.hpp).
// All other columns are joint choices (one_hot.hpp), which those determine, and the objective's.
// There is no piecewise-linear fit, no logarithm and no big-M: an integral solution costs exactly
// what spec 4-6 say.
#pragma once

#include "dram_pim/milp/model.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::milp {

/// Throws InputError if architecture or workload are not valid, if the objective is not one linear
/// goal (latency, energy, activations or blended), or if the row model is `trace`.
Model build_model(const Architecture& architecture, const Workload& workload,
                  const Objective& objective, RowModel row_model);

}  // namespace pimbb::dram_pim::milp
