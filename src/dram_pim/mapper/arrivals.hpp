// The first decision, from the DRAM to the row buffer: which tile, and which class of loops.
//
// What it costs does not depend on the storage choice, since the row buffer holds every tensor, nor
// on the goal. So the list of all arrivals, with their costs, is made once a layer. The row
// activations are lower bounds here: the row buffer's own loops are taken for free.
#pragma once

#include <vector>

#include "dram_pim/mapper/allowed_steps.hpp"
#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/row_table.hpp"
#include "dram_pim/mapper/scale.hpp"

namespace pimbb::dram_pim::mapper {

struct Arrival {
  Step step;
  Int128 energy;  ///< of the MACs and of the reads that fill the row buffer
  Costs least;    ///< with the least activations: slowest bank, energy, activations
};

/// Activations split into what the loops above and below a row-buffer tile reuse. `sweeps`: outer
/// ones of the tensor `at_dram`, where not all of its irrelevant loops may stand innermost.
PerTensor<rows::RowReuse> row_reuse(const Lattice& lattice, const Tile& rb, LoopClass at_dram,
                                    const LoopSplit* below, std::int64_t sweeps = 1);

/// All arrivals within a dataflow that keep a precedence of loops, by ascending tile.
std::vector<Arrival> arrivals(const Architecture& architecture, const Workload& workload,
                              const Scale& scale, const Lattice& lattice, const RowTable& rows,
                              const DataflowRule& rule = {}, const OrderRule& orders = {},
                              const run::Guard& guard = {});

}  // namespace pimbb::dram_pim::mapper
