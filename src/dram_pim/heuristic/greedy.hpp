// Largest factors first: the mapping that a compiler writer gets in an afternoon.
//
//   1. Levels with free bypass store what fits, in the order input, weight, output.
//   2. Rows, columns and MACs of the array, in turn: of all factors of all dimensions that still
//      fit, the largest is unrolled, until none fits.
//   3. Levels from the PEs to the row buffer, in turn: the same with the level's loops.
//   4. Loop order: at each level above the PEs the tensor whose tile right inside is the largest in
//      bytes stays put: the loops that do not index it stand innermost.
//   5. Layout: each tensor takes the one with fewer row activations; the input's block is the
//      smallest around its tile.
//
// Of equal factors the dimension that comes first in K C Q P N S R is taken. Goals play no role.
#pragma once

#include "pimbb/dram_pim/cost.hpp"

namespace pimbb::dram_pim::heuristic {

/// A feasible mapping, given the smallest one.
Mapping greedy(const Architecture& architecture, const Workload& workload, RowModel row_model,
               const Mapping& smallest);

}  // namespace pimbb::dram_pim::heuristic
