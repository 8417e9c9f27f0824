// Width and height: layers that look the same turned by 90 degrees.
//
// Let turn() exchange P with Q, R with S, the block's sides and nothing else. If the bounds,
// strides and dilations of both axes agree and every direction of the array allows both or neither
// dimension of each pair, then turn() maps mappings to mappings: tiles keep their bytes, products
// of factors stay what they are, and so does every fill, latency and energy. The analytic row model
// sees an input tile only through its bytes, the number of tiles and the crossings of a block's
// edges along both axes, and these sums turn with the block. So a mapping costs what the turned one
// costs, and if a mapping is better than the incumbent, one of the two has a row-buffer tile that
// is_upright(). It is enough to search those. (The hybrid and trace models see addresses, and rows
// run along one axis: there the axes differ.)
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
