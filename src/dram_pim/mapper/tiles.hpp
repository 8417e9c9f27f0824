// Tiles of DRAM-PIM: the types of src/nest, and the lattice of the tiles that fit the row buffer.
// The row buffer stores every tensor, so one lattice is enough for every level and storage choice.
#pragma once

#include <algorithm>

#include "nest/lattice.hpp"
#include "nest/loop_order.hpp"
#include "nest/steps.hpp"
#include "pimbb/dram_pim/architecture.hpp"

namespace pimbb::dram_pim::mapper {

using namespace nest;

/// Whether a tile fits the row buffer; refers to its arguments.
inline Fits fits_row_buffer(const Architecture& architecture, const Workload& workload) {
  const auto capacity = architecture.levels[architecture.row_buffer()].capacity;
  return [&architecture, &workload, capacity](const Factors& c) {
    return !capacity || std::ranges::all_of(kAllTensors, [&](Tensor t) {
      return architecture.tile_bytes(t, workload.tile_elements(t, c)) <= *capacity;
    });
  };
}

/// The tiles that fit the row buffer. Throws InputError if the layer has more divisor vectors than
/// can be indexed.
inline Lattice row_buffer_lattice(const Architecture& architecture, const Workload& workload,
                                  const run::Guard& guard = {}) {
  return {workload, fits_row_buffer(architecture, workload), guard};
}

}  // namespace pimbb::dram_pim::mapper
