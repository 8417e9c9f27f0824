// The tiles that a storage choice admits at each level, and the unrollings of level-0 tiles.
//
// A tile is inside the tiles of all outer levels, so it is admitted if it fits its own level and
// every level further out. Divisors of a tile that fits, fit too, and minima over divisors need an
// entry for each of them; constraints on factors may exclude some of these as tiles of a mapping.
#pragma once

#include <ranges>
#include <span>
#include <vector>

#include "dram_pim/mapper/spatial.hpp"

namespace pimbb::dram_pim::mapper {

/// The tiles admitted at each level under one storage choice, and the options of level-0 tiles.
struct LevelTiles {
  std::vector<std::vector<TileIndex>> tiles;     ///< per level 0 .. row buffer, ascending
  std::vector<std::vector<std::uint32_t>> slot;  ///< per level and tile: place in `tiles`
  std::vector<SpatialOption> menu;               ///< every option of some level-0 tile
  std::vector<std::uint32_t> choices;   ///< places in `menu`: the options of all tiles[0], in order
  std::vector<std::size_t> choices_at;  ///< per place in tiles[0]: its first of `choices`; the end
  /// Per level and tile: whether constraints on factors leave it. Empty: all are left.
  std::vector<std::vector<char>> reached;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  LevelTiles(const Architecture& architecture, const Lattice& lattice,
             const SpatialVectors& vectors, const Storage& storage, bool prune,
             const DataflowRule& rule = {}, const run::Guard& guard = {},
             const ConstraintRule& constraints = {});
  [[nodiscard]] std::uint64_t bytes() const;
  /// With as many tiles inside level 1, those are left out at once that cannot have an option
  /// because a tile that divides them has none (spatial.hpp).
  static constexpr std::size_t kManyTiles = std::size_t{1} << 14;
  /// The number of tiles of each level.
  [[nodiscard]] std::vector<std::size_t> sizes() const;
  /// Whether the tables have an entry for the tile.
  [[nodiscard]] bool has(std::size_t level, TileIndex tile) const {
    return slot[level][tile] != kNone;
  }
  /// The options of a level-0 tile, given by its place.
  [[nodiscard]] auto options(std::size_t place) const {
    return std::span(choices).subspan(choices_at[place],
                                      choices_at[place + 1] - choices_at[place]) |
           std::views::transform(
               [this](std::uint32_t k) -> const SpatialOption& { return menu[k]; });
  }
  [[nodiscard]] bool admits(std::size_t level, TileIndex tile) const {
    return has(level, tile) && (reached.empty() || reached[level][tile] != 0);
  }

 private:
  void take(const SpatialMenu& from, const std::vector<std::vector<std::uint32_t>>& found);
};

}  // namespace pimbb::dram_pim::mapper
