// Minima over the tiles around a tile, level by level.
#include "dram_pim/mapper/tile_screen.hpp"

#include <algorithm>
#include <utility>

#include "dram_pim/mapper/for_each_tile.hpp"

namespace pimbb::dram_pim::mapper {

TileScreen::TileScreen(const Instance& instance, const Storage& storage, const InsideFloors& inside,
                       Hopeless hopeless, const run::Guard& guard)
    : hopeless_(std::move(hopeless)),
      open_count_(storage.open_count()),
      hopeful_(instance.architecture.row_buffer(), std::vector<char>(instance.lattice.size(), 0)),
      outside_(instance.lattice.size()) {
  const Lattice& lattice = instance.lattice;
  guard.need(bytes(hopeful_.size(), lattice.size()));
  for (std::size_t i = 0; i < instance.arrivals.size(); ++i) {
    const Arrival arrival = instance.arrivals[i];
    outside_.include(arrival.step.to.tile, arrival.least.latency, arrival.least.energy);
    activations_ = std::min(activations_, arrival.least.activations);
  }
  const nest::Spread spread(lattice);
  for (std::size_t m = hopeful_.size(); m-- > 0;) {
    outside_.spread_inwards(spread, guard);
    for_each_tile(lattice, guard, [&](TileIndex c) {
      const FloorOfTile outside = std::exchange(outside_[c], FloorOfTile{});
      if (!outside.is_finite() || !inside[m][c].is_finite()) return;
      const FloorOfTile filled = least_fill(storage, m, lattice[c]).and_then(outside);
      if (!filled.is_finite()) return;
      if (hopeless_(filled.and_then(inside[m][c]).floor(activations_))) return;
      outside_[c] = filled;
      hopeful_[m][c] = 1;
    });
  }
  outside_.spread_inwards(spread, guard);
}

bool TileScreen::hopeful(TileIndex unrolled, const Terms& terms) const {
  if (!outside_[unrolled].is_finite()) return false;
  return !hopeless_(outside_[unrolled].and_then(floor_of(terms, open_count_)).floor(activations_));
}

std::uint64_t TileScreen::bytes(std::size_t levels, std::uint64_t tiles) {
  return tiles * levels + LeastOfTiles::bytes(tiles);
}

}  // namespace pimbb::dram_pim::mapper
