// The stand-alone estimate of a single tile's rows, the mean of its micro-trace over the offsets 0,
// g, 2g, ... with g = gcd(step, row), compared with a simulation of all vertical positions in the
// plane. The published validation has four flat tiles; this one also has tiles of several channels.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb::dram_pim::study {

struct Tile {
  std::int64_t height = 1, width = 1;                 ///< of the plane, elements of one byte
  std::int64_t channels = 1, tile_h = 1, tile_w = 1;  ///< of the tile
  std::int64_t stride = 1;
};

struct TileRows {
  Tile tile;
  Rational estimate;
  Rational walked;
};

/// The comparison for rows of `row` bytes: the published tiles, then the same with 2, 4, 8
/// channels.
std::vector<TileRows> tile_rows(std::int64_t row);
/// The comparison for one tile.
TileRows rows_of(const Tile& tile, std::int64_t row);

/// Start addresses modulo the row, [from, to], at which a tile opens this number of rows; and how
/// many of the addresses that vertical steps reach (the multiples of g) are among them.
struct MicroTrace {
  std::int64_t from = 0, to = 0;
  std::int64_t rows = 0;
  std::int64_t reached = 0;
};
std::vector<MicroTrace> micro_traces(const Tile& tile, std::int64_t row);

/// Positions of the tile, over the whole plane, at which it straddles an edge between blocks of
/// block_h x block_w elements: along the height, along the width, of all positions.
struct BlockCrossings {
  std::int64_t block_h = 0, block_w = 0;
  std::int64_t along_h = 0, along_w = 0;
  std::int64_t positions = 0;
};
/// For every block that divides the plane, covers the tile, and fits a row with all channels.
std::vector<BlockCrossings> block_crossings(const Tile& tile, std::int64_t row);

}  // namespace pimbb::dram_pim::study
