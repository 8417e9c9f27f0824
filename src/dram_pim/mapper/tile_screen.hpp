// Tiles that no mapping of interest has, told before there are tables.
//
// A chain of tiles costs at least, in time and in energy, what its arrival at the row buffer, the
// fill of each level and its unrolling do. With the least of each over the tiles that contain c,
// and of what is inside of c (inside_floors.hpp), a mapping whose level m has the tile c costs no
// less than
//
//     outside(m, c) + fill(m, c) + inside(m, c)
//     outside(m, c) = min of (outside + fill)(m+1, c') over c' with c | c'     rb: arrivals
//
// and takes no less than the greatest of the three times, found in the same way. If that is not of
// interest, no chain through c is, and c is left out of the minima further in. At last each
// unrolling is compared with what is outside of the tiles that it divides. Of the million tiles of
// a layer with many divisors a thousand may be left, in less time than tables take for a tenth of
// them.
#pragma once

#include <vector>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/storage.hpp"

namespace pimbb::dram_pim::mapper {

class TileScreen {
 public:
  /// Tiles of a layer that are worth it: tables for them take longer. `limited`: the question
  /// itself says what is of interest, so that there may be no mapping at all.
  [[nodiscard]] static bool is_worth_it(std::uint64_t tiles, bool limited) {
    return tiles >= (limited ? kFew : kMany);
  }
  static constexpr std::uint64_t kMany = std::uint64_t{1} << 14;

  /// Of every level inside the row buffer, under a storage choice with these floors. Throws what
  /// the guard throws.
  TileScreen(const Instance& instance, const Storage& storage, const InsideFloors& inside,
             Hopeless hopeless, const run::Guard& guard);

  /// Whether a mapping of interest may have this tile.
  [[nodiscard]] bool hopeful(std::size_t level, TileIndex tile) const {
    return hopeful_[level][tile] != 0;
  }
  /// Whether one may have an unrolling with the factors of `unrolled` that costs `terms`.
  [[nodiscard]] bool hopeful(TileIndex unrolled, const Terms& terms) const;
  /// Bytes that it takes while it is made, beside the floors, for so many tiles.
  [[nodiscard]] static std::uint64_t bytes(std::size_t levels, std::uint64_t tiles);

 private:
  void include_arrivals(const Arrivals& arrivals, const run::Guard& guard);

  static constexpr std::uint64_t kFew = std::uint64_t{1} << 8;

  const Hopeless hopeless_;
  const std::size_t open_count_;
  Int128 activations_ = kInfinity;          // at least
  std::vector<std::vector<char>> hopeful_;  // by level and tile
  LeastOfTiles outside_;                    // in the end: of all levels, by what is unrolled
};

}  // namespace pimbb::dram_pim::mapper
