// The PE array: its size, the time of the MACs, and the feed of the PEs.
//
// All of these depend on products of spatial factors. The product of a direction is built dimension
// by dimension without the combinations that exceed its extent (docs/model.md, rule 3). Every
// dimension except G is irrelevant to exactly one tensor, so the internal product is G's factor
// times three parts, one per tensor, which determine the multicast of the tensors inside a PE:
//
//     compute     MACs / (rows * columns * internal)                  cycles
//     A[0][t]     MACs / (rows * columns * internal part of t)        per PE
//     A[m][t]     MACs / (spatial factors of the dimensions irrelevant to t),   m >= 1
#pragma once

#include "dram_pim/milp/costs.hpp"
#include "dram_pim/milp/tiling.hpp"

namespace pimbb::dram_pim::milp {

void charge_array(Problem& problem, const Tiling& tiling, const Routes& routes, Costs& costs);

}  // namespace pimbb::dram_pim::milp
