// What the DRAM sees of one tensor: which tile is moved, and by which loops (spec 6).
//
// The next level inside the row buffer that stores the tensor is filled tile by tile, whenever the
// index of a relevant loop outside it changes; irrelevant loops inside the innermost relevant one
// move nothing. Where no level inside stores the tensor, the array takes the tile of the spatial
// factors at every iteration of all temporal loops, and those innermost irrelevant loops move the
// same tile again and again.
#pragma once

#include <cstdint>
#include <vector>

#include "exact/int128.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::rows {

struct MoveLoop {
  Dim dim;
  std::int64_t trips;    ///< > 1
  std::int64_t advance;  ///< elements of the dimension per iteration
};

struct Stream {
  Factors tile = kOnes;         ///< shape of what is moved
  std::vector<MoveLoop> loops;  ///< outermost first; the innermost one is relevant
  Int128 repeats = 1;           ///< how often each tile is moved in a row
};

Stream stream_of(const Architecture& architecture, const Mapping& mapping, Tensor t);

}  // namespace pimbb::dram_pim::rows
