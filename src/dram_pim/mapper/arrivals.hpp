// The first decision of a chain, from the DRAM to the row buffer: a tile and a loop class.
//
// Its cost does not depend on the storage choice, because the row buffer stores every tensor, and
// not on the goal. The list of all arrivals with their costs is therefore computed once for a
// layer. The row activations are lower bounds: the row buffer's own loops are assumed to cause
// none.
#pragma once

#include <vector>

#include "dram_pim/mapper/allowed_steps.hpp"
#include "dram_pim/mapper/constraint_rule.hpp"
#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/row_table.hpp"
#include "dram_pim/mapper/scale.hpp"

namespace pimbb::dram_pim::mapper {

struct Arrival {
  Step step;
  Int128 energy = 0;  ///< of the MACs and of the reads that fill the row buffer
  Costs least;        ///< with the least activations: slowest bank, energy, activations
};

/// The reuse factors of the loops at the DRAM and at the row buffer. `sweeps`: the outer
/// repetitions of the tensor `at_dram`, if not all of its irrelevant loops may be innermost.
PerTensor<rows::RowReuse> row_reuse(const Lattice& lattice, const Tile& rb, LoopClass at_dram,
                                    const LoopSplit* below, std::int64_t sweeps = 1);

/// Lower bounds of the activations after an arrival by `step`.
PerTensor<Int128> least_rows(const Lattice& lattice, const RowTable& rows, const Step& step);

/// All arrivals that a dataflow, a precedence and constraints allow, by ascending tile.
std::vector<Arrival> arrivals(const Architecture& architecture, const Workload& workload,
                              const Scale& scale, const Lattice& lattice, const RowTable& rows,
                              const DataflowRule& rule = {}, const OrderRule& orders = {},
                              const run::Guard& guard = {}, const ConstraintRule& constraints = {});

}  // namespace pimbb::dram_pim::mapper
