// Capacities of the on-chip levels and the DRAM (docs/model.md, rule 6).
//
// The bytes of tensor t at level m are a sum over the joint tiles of t, if t is stored there; tiles
// that do not fit even alone are omitted. The row buffer has a separate row for each tensor: its
// tiles are limited individually where they are built (row_costs.hpp).
#pragma once

#include "dram_pim/milp/routes.hpp"
#include "dram_pim/milp/tiling.hpp"

namespace pimbb::dram_pim::milp {

void keep_capacities(Problem& problem, const Tiling& tiling, const Routes& routes);

}  // namespace pimbb::dram_pim::milp
