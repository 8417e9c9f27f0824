// The tiles that a storage choice admits at each level, and the unrollings of level-0 tiles.
//
// A tile is inside the tiles of all outer levels, so it is admitted if it fits its own level and
// every level further out. Divisors of a tile that fits, fit too, and minima over divisors need an
// entry for each of them; constraints on factors, or a screen (tile_screen.hpp), may exclude some
// of these as tiles of a mapping. With a screen only divisors of those that are left have entries,
// and of level 0 only these themselves.
#pragma once

#include <iterator>
#include <span>
#include <vector>

#include "dram_pim/mapper/spatial.hpp"
#include "dram_pim/mapper/tile_screen.hpp"
#include "run/table_allocator.hpp"

namespace pimbb::dram_pim::mapper {

/// Entries of a menu by their places, as a range of the entries. (A transformed view of the
/// standard library does not compile with clang 14.)
class MenuRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = SpatialOption;
    using difference_type = std::ptrdiff_t;
    using pointer = const SpatialOption*;
    using reference = const SpatialOption&;

    Iterator() = default;
    Iterator(const SpatialOption* menu, const std::uint32_t* place) : menu_(menu), place_(place) {}
    reference operator*() const { return menu_[*place_]; }
    Iterator& operator++() {
      ++place_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator old = *this;
      ++place_;
      return old;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const SpatialOption* menu_ = nullptr;
    const std::uint32_t* place_ = nullptr;
  };

  MenuRange(const SpatialOption* menu, std::span<const std::uint32_t> places)
      : menu_(menu), places_(places) {}
  [[nodiscard]] Iterator begin() const { return {menu_, places_.data()}; }
  [[nodiscard]] Iterator end() const { return {menu_, places_.data() + places_.size()}; }
  [[nodiscard]] std::size_t size() const { return places_.size(); }

 private:
  const SpatialOption* menu_;
  std::span<const std::uint32_t> places_;
};

/// The tiles admitted at each level under one storage choice, and the options of level-0 tiles.
struct LevelTiles {
  std::vector<std::vector<TileIndex>> tiles;       ///< per level 0 .. row buffer, ascending
  std::vector<run::RawTable<std::uint32_t>> slot;  ///< per level and tile: place in `tiles`
  std::vector<SpatialOption> menu;                 ///< every option of some level-0 tile
  std::vector<std::uint32_t> choices;   ///< places in `menu`: the options of all tiles[0], in order
  std::vector<std::size_t> choices_at;  ///< per place in tiles[0]: its first of `choices`; the end
  /// Per level and tile: whether constraints on factors and the screen leave it. Empty: all are
  /// left.
  std::vector<run::RawTable<char>> reached;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  LevelTiles(const Architecture& architecture, const Lattice& lattice,
             const SpatialVectors& vectors, const Storage& storage, bool prune,
             const DataflowRule& rule = {}, const run::Guard& guard = {},
             const ConstraintRule& constraints = {}, const TileScreen* screen = nullptr);
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
  [[nodiscard]] MenuRange options(std::size_t place) const {
    return {menu.data(), std::span(choices).subspan(choices_at[place],
                                                    choices_at[place + 1] - choices_at[place])};
  }
  [[nodiscard]] bool admits(std::size_t level, TileIndex tile) const {
    return has(level, tile) && (reached.empty() || reached[level][tile] != 0);
  }

 private:
  void keep_hopeful(const Lattice& lattice, const TileScreen& screen, std::size_t level,
                    const run::Guard& guard);
  template <class Entry, class Of>
  void fill(std::vector<run::RawTable<Entry>>& tables, std::size_t size, Entry none,
            const run::Guard& guard, const Of& of) const;
  void take(const SpatialMenu& from, const std::vector<std::vector<std::uint32_t>>& found);
};

}  // namespace pimbb::dram_pim::mapper
