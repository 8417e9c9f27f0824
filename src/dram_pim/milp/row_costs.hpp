// Row activations by the closed formulas (docs/model.md), tabulated over row-buffer tiles and loop
// orders.
//
// N_act[t] depends on three choices: the row-buffer tile, the irrelevant loops of the DRAM and the
// row-buffer level with their classes (Reuse and Outer of both), and the layout. For each layout
// the table
//
//                   reuse 1   reuse 2   ...
//        tile 1     N_act     N_act
//        tile 2     N_act     N_act            (a block of a row-aligned input: the one with
//        ...                                    the fewest crossings; no other can matter)
//
// is computed with the functions that evaluate() uses. Equal lines and equal columns of a table are
// merged, so the table of a layout is only as large as its formula requires: for a sequential
// weight, for example, only the divisibility of the row by the tile matters. `aligned_weight` is
// the binary of the layout.
#pragma once

#include "dram_pim/milp/costs.hpp"
#include "dram_pim/milp/orders.hpp"

namespace pimbb::dram_pim::milp {

/// Adds N_act of every tensor, and keeps the row buffer's capacity.
void charge_rows(Problem& problem, const Tiling& tiling, const Orders& orders, Costs& costs);

}  // namespace pimbb::dram_pim::milp
