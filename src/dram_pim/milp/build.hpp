// The mapping problem of one layer as a mixed-integer linear program with the same optimum.
//
// The decisions are binaries: unrolling and tiles (tiling.hpp), classes of loop orders and runs
// (orders.hpp), hops that determine the storage choice (routes.hpp), layouts (row_costs.hpp). All
// other columns are joint choices (one_hot.hpp), which the decisions determine, and columns of the
// objective. There are no piecewise-linear approximations, no logarithms and no big-M: an integral
// solution has exactly the cost of docs/model.md.
#pragma once

#include "dram_pim/milp/program_builder.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::milp {

/// Throws InputError if the objective is not one linear goal (latency, energy, activations or
/// blended), or if the row model is `trace`.
void require_linear(const Objective& objective, RowModel row_model);

/// With a `known` mapping the program has no columns that only dearer mappings take, and its costs
/// are in a power of two that suits that value. Throws InputError if architecture or workload are
/// not valid, and as require_linear() does.
MappingProgram build_program(const Architecture& architecture, const Workload& workload,
                             const Objective& objective, RowModel row_model,
                             const Mapping* known = nullptr);

}  // namespace pimbb::dram_pim::milp
