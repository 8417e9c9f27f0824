// The PE array: its size, the time of the MACs, and what the PEs are fed from.
//
// Everything here depends on products of spatial factors. A direction's product is built dimension
// by dimension, leaving out what exceeds its extent (spec 3, rule 3); since every dimension but G
// is irrelevant to exactly one tensor, the internal product is G's factor times three parts, one
// per tensor, which are what the tensors' multicast inside a PE is made of:
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
