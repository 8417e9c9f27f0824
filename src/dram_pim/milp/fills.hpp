// Traffic between levels: the fills V[i][t], charged to the level that hands them inwards.
//
//     V[i][t] = tile elements * relevant loops outside * sweeps                        (spec 4)
//
// For weight and output the first two factors multiply to the whole tensor, whatever the tile. The
// input overlaps: per axis they are  ext(p, r) * B[P]/p * B[R]/r,  a function of one pair of
// factors, and the two axes multiply.
#pragma once

#include "dram_pim/milp/costs.hpp"
#include "dram_pim/milp/orders.hpp"

namespace pimbb::dram_pim::milp {

void charge_fills(Problem& problem, const Tiling& tiling, const Orders& orders,
                  const Routes& routes, Costs& costs);

}  // namespace pimbb::dram_pim::milp
