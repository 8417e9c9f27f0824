// Tiles that no mapping of interest has, told before there are tables.
//
// A chain of tiles costs at least, in time and in energy, what its arrival at the row buffer, the
// fill of each level and its unrolling do. A fill is least if one tensor's run has lasted since the
// DRAM. With the least of each over the tiles that contain or divide c, a mapping whose level m has
// the tile c costs no less than
//
//     outside(m, c) + fill(m, c) + inside(m, c)
//     outside(m, c) = min of (outside + fill)(m+1, c') over c' with c | c'     rb: arrivals
//     inside(m, c)  = min of (fill + inside)(m-1, c') over c' | c              0: unrollings
//
// and takes no less than the greatest of the three times, found in the same way. If that is not of
// interest, no chain through c is, and c is left out of the minima further in.
//
// The minima are taken one prime factor at a time over the lattice of tiles, three numbers for each
// of them, whatever is stationary and wherever runs began: of the million tiles of a layer with
// many divisors a thousand may be left, in less time than tables take for a tenth of them.
#pragma once

#include <functional>
#include <vector>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/storage.hpp"

namespace pimbb::dram_pim::mapper {

class TileScreen {
 public:
  /// Whether no mapping of interest costs at least this. Thread-safe.
  using Hopeless = std::function<bool(const Costs& least)>;

  /// Tiles of a layer that are worth it: tables for them take longer.
  static constexpr std::size_t kWorthIt = std::size_t{1} << 14;

  /// Of every level inside the row buffer, under a storage choice. Throws what the guard throws.
  TileScreen(const Instance& instance, const Storage& storage, const Hopeless& hopeless,
             const run::Guard& guard);

  /// Whether a mapping of interest may have this tile.
  [[nodiscard]] bool hopeful(std::size_t level, TileIndex tile) const {
    return hopeful_[level][tile] != 0;
  }
  /// Bytes that it takes while it is made, for so many tiles.
  [[nodiscard]] static std::uint64_t bytes(std::size_t levels, std::uint64_t tiles);

 private:
  std::vector<std::vector<char>> hopeful_;  // by level and tile
};

}  // namespace pimbb::dram_pim::mapper
