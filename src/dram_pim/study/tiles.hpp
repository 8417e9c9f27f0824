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

}  // namespace pimbb::dram_pim::study
