// Row activations of the `trace` model, by walking the stream of moved tiles (spec 6): the plain
// reference that the counted figures (ActivationCounter) are tested against.
//
// Each tensor has one bank with one open row. Every time a tile moves, its elements arrive in
// ascending address order, so each of its rows is opened once, except that the first may still be
// open. A move is therefore described by (first row, last row, number of distinct rows), and the
// walk goes tile by tile, never element by element.
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
