// Row activations of the `trace` model by simulation of the stream of moved tiles: the simple
// reference for tests of ActivationCounter.
//
// Each tensor has one bank with one open row. When a tile moves, its elements are accessed in
// ascending address order, so each of its rows is opened once, except the first one if it is still
// open. A move is therefore described by (first row, last row, number of distinct rows), and the
// simulation proceeds tile by tile, not element by element.
#pragma once

#include "exact/int128.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::rows {

/// N_act of tensor `t`, in time proportional to the number of moves.
Int128 walk_activations(const Architecture& architecture, const Workload& workload,
                        const Mapping& mapping, Tensor t);

}  // namespace pimbb::dram_pim::rows
