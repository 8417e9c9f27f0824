// Capacities of the on-chip levels and the DRAM (spec 3, rule 6).
//
// The bytes that level m holds of t are a sum over the joint tiles of t, taken only if t is stored
// there; tiles that do not fit even alone are left out. The row buffer keeps each tensor in a row
// of its own: its tiles are limited one by one where they are built (row_costs.hpp).
#pragma once

#include "dram_pim/milp/routes.hpp"
#include "dram_pim/milp/tiling.hpp"

namespace pimbb::dram_pim::milp {

void keep_capacities(Problem& problem, const Tiling& tiling, const Routes& routes);

}  // namespace pimbb::dram_pim::milp
