// The greedy heuristic: largest factors first.
//
//   1. Levels with free bypass store what fits, in the order input, weight, output.
//   2. Rows, columns and MACs of the array, one after the other: the largest factor of any
//   dimension
//      that still fits is unrolled, until none fits.
//   3. Levels from the PEs to the row buffer, one after the other: the same with the level's loops.
//   4. Loop order: at each level above the PEs the tensor whose tile at the next level inside has
//   the
//      most bytes stays in place: the loops that do not index it are innermost.
//   5. Layout: each tensor takes the layout with fewer row activations; the input's block is the
//      smallest one that covers its tile.
//
// Among equal factors the dimension that comes first in K C Q P N S R is taken. The objective has
// no influence.
#pragma once

#include <optional>

#include "pimbb/dram_pim/cost.hpp"

namespace pimbb::dram_pim::heuristic {

/// A feasible mapping, given the smallest one.
Mapping greedy(const Architecture& architecture, const Workload& workload, RowModel row_model,
               const Mapping& smallest);

/// The same for an unbounded row buffer, with a row-buffer tile that fits a row, so that layouts
/// can be aligned to it: above, an unbounded row buffer takes all loops, and no layout can be.
/// Nothing if the row buffer is bounded.
std::optional<Mapping> greedy_in_rows(const Architecture& architecture, const Workload& workload,
                                      RowModel row_model, const Mapping& smallest);

}  // namespace pimbb::dram_pim::heuristic
