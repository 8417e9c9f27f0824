// Bounds of row-buffer tiles.
#include "dram_pim/mapper/arrival_screen.hpp"

#include <algorithm>
#include <utility>

#include "dram_pim/mapper/for_each_tile.hpp"

namespace pimbb::dram_pim::mapper {

ArrivalScreen::ArrivalScreen(const TileSpace& space, const Storage& storage,
                             const InsideFloors& inside, Hopeless hopeless, const run::Guard& guard)
    : inside_(inside[space.architecture.row_buffer()]),
      hopeless_(std::move(hopeless)),
      hopeful_(space.lattice.size(), 0) {
  for_each_tile(space.lattice, guard, [&](TileIndex c) {
    if (!inside_[c].is_finite()) return;
    Int128 reads = kInfinity;  // of the DRAM
    for (const Tensor t : kAllTensors) {
      reads = std::min(reads, storage.dram_energy(space.lattice[c], t, 1));
    }
    hopeful_[c] = hopeful(c, {0, space.scale.mac_energy + reads, 0}) ? 1 : 0;
  });
}

bool ArrivalScreen::hopeful(TileIndex tile, const Costs& arrival) const {
  if (!inside_[tile].is_finite()) return false;
  const Costs inside = inside_[tile].floor(0);
  return !hopeless_({std::max(arrival.latency, inside.latency), arrival.energy + inside.energy,
                     arrival.activations});
}

}  // namespace pimbb::dram_pim::mapper
