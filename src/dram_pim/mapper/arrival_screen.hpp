// First decisions that no mapping of interest has, told without the rest of the mapping.
//
// A mapping whose row buffer holds a tile c costs at least what the DRAM is read for it and what
// the inside of c costs (inside_floors.hpp). That needs no row activations: tiles that cost too
// much already get none. With them, each of the ways to arrive at c has a bound of its own.
//
// The bounds hold under one storage choice, so a screen serves layers that have only one.
#pragma once

#include <vector>

#include "dram_pim/mapper/inside_floors.hpp"

namespace pimbb::dram_pim::mapper {

class ArrivalScreen {
 public:
  /// `inside`: of the levels up to the row buffer's. Keeps a reference to it. Throws what the guard
  /// throws.
  ArrivalScreen(const TileSpace& space, const Storage& storage, const InsideFloors& inside,
                Hopeless hopeless, const run::Guard& guard);

  /// Whether a mapping of interest may have this tile in the row buffer.
  [[nodiscard]] bool hopeful(TileIndex tile) const { return hopeful_[tile] != 0; }
  /// The same of a mapping whose arrival at the tile costs at least this.
  [[nodiscard]] bool hopeful(TileIndex tile, const Costs& arrival) const;

 private:
  const LeastOfTiles& inside_;
  const Hopeless hopeless_;
  std::vector<char> hopeful_;  // by tile
};

}  // namespace pimbb::dram_pim::mapper
