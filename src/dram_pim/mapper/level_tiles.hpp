// What a storage choice leaves of the lattice at each level, and how level-0 tiles can be unrolled.
//
// A tile lies inside the tiles of all outer levels, so it is admitted where it fits its own level
// and every one further out. Divisors of an admitted tile are admitted there too.
#pragma once

#include <vector>

#include "dram_pim/mapper/spatial.hpp"

namespace pimbb::dram_pim::mapper {

/// The tiles admitted at each level under one storage choice, and the options of level-0 tiles.
struct LevelTiles {
  std::vector<std::vector<TileIndex>> tiles;        ///< per level 0 .. row buffer, ascending
  std::vector<std::vector<std::uint32_t>> slot;     ///< per level and tile: place in `tiles`
  std::vector<std::vector<SpatialOption>> options;  ///< per place in tiles[0]
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  LevelTiles(const Architecture& architecture, const Lattice& lattice,
             const SpatialVectors& vectors, const Storage& storage, bool prune,
             const DataflowRule& rule = {}, const run::Guard& guard = {});
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] bool admits(std::size_t level, TileIndex tile) const {
    return slot[level][tile] != kNone;
  }
};

}  // namespace pimbb::dram_pim::mapper
