// Traffic between levels: the fills V[i][t], charged to the level that they are read from.
//
//     V[i][t] = tile elements * relevant loops outside * sweeps                 (docs/model.md)
//
// For weight and output the product of the first two factors is the whole tensor, for every tile.
// Input tiles overlap: per axis the product is  ext(p, r) * B[P]/p * B[R]/r,  a function of one
// pair of factors, and the two axes multiply.
#pragma once

#include "dram_pim/milp/costs.hpp"
#include "dram_pim/milp/orders.hpp"

namespace pimbb::dram_pim::milp {

void charge_fills(Problem& problem, const Tiling& tiling, const Orders& orders,
                  const Routes& routes, Costs& costs);

}  // namespace pimbb::dram_pim::milp
