// Symmetry of width and height: layers that are the same when turned by 90 degrees.
//
// Let turn() exchange P with Q, R with S, and the block's sides. If bounds, strides and dilations
// of both axes are equal, and every direction of the array allows both or neither dimension of each
// pair, then turn() maps mappings to mappings with the same tile sizes in bytes, fills, latency and
// energy. The analytic row model depends on an input tile only through its bytes, the number of
// tiles and the crossings of a block's edges along both axes, and these sums turn with the block. A
// mapping and its turned image therefore cost the same, and one of the two has a row-buffer tile
// that is_upright(). It is enough to search these. (The hybrid and trace models depend on
// addresses, and rows run along one axis: there the axes differ.)
#pragma once

#include "dram_pim/mapper/tiles.hpp"
#include "pimbb/dram_pim/cost.hpp"

namespace pimbb::dram_pim::mapper {

/// Whether turned mappings cost the same.
bool can_turn(const Architecture& architecture, const Workload& workload, RowModel model);

/// (P, R) <= (Q, S) in lexicographic order: true of a tile or of its image, or of both.
inline bool is_upright(const Tile& tile) {
  const auto at = [&](Dim d) { return tile.c[index(d)]; };
  return at(Dim::P) != at(Dim::Q) ? at(Dim::P) < at(Dim::Q) : at(Dim::R) <= at(Dim::S);
}

}  // namespace pimbb::dram_pim::mapper
