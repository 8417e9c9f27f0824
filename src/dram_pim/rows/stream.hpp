// The tile of a tensor that the DRAM moves, and the loops that move it (docs/model.md).
//
// The next level inside the row buffer that stores the tensor is filled tile by tile, whenever the
// index of a relevant loop outside it changes; irrelevant loops inside the innermost relevant one
// do not move the tile. If no level inside stores the tensor, the array receives the tile of the
// spatial factors at every iteration of all temporal loops, and these innermost irrelevant loops
// move the same tile repeatedly.
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
  Factors tile = kOnes;         ///< shape of the tile that moves
  std::vector<MoveLoop> loops;  ///< outermost first; the innermost one is relevant
  Int128 repeats = 1;           ///< number of consecutive moves of each tile
  std::vector<MoveLoop> idle;   ///< the loops inside of those above that repeat the moves

  /// The loops at every iteration of which the tile moves, of all temporal loops the outermost.
  [[nodiscard]] std::size_t moving_loops() const { return loops.size() + idle.size(); }
};

Stream stream_of(const Architecture& architecture, const Mapping& mapping, Tensor t);

}  // namespace pimbb::dram_pim::rows
