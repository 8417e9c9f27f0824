// Minima over the tiles around a tile, level by level.
#include "dram_pim/mapper/tile_screen.hpp"

#include <algorithm>
#include <utility>

#include "dram_pim/mapper/for_each_tile.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {

TileScreen::TileScreen(const Instance& instance, const Storage& storage, const InsideFloors& inside,
                       Hopeless hopeless, const run::Guard& guard)
    : hopeless_(std::move(hopeless)),
      open_count_(storage.open_count()),
      hopeful_(instance.architecture.row_buffer(), std::vector<char>(instance.lattice.size(), 0)),
      outside_(instance.lattice.size()) {
  const Lattice& lattice = instance.lattice;
  guard.need(bytes(hopeful_.size(), lattice.size()));
  include_arrivals(instance.arrivals, guard);
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

/// They are in the order of their tiles: each part begins with the first one of a tile.
void TileScreen::include_arrivals(const Arrivals& arrivals, const run::Guard& guard) {
  constexpr std::size_t kChunk = 2048;
  const auto tile_of = [&](std::size_t i) { return arrivals[i].step.to.tile; };
  const auto begin_of = [&](std::size_t part) {
    std::size_t i = std::min(part * kChunk, arrivals.size());
    while (i > 0 && i < arrivals.size() && tile_of(i) == tile_of(i - 1)) ++i;
    return i;
  };
  std::vector<Int128> activations(run::chunk_count(arrivals.size(), kChunk), kInfinity);
  run::parallel_for(activations.size(), [&](std::size_t part) {
    guard.check();
    const std::size_t end = begin_of(part + 1);
    for (std::size_t i = begin_of(part); i < end; ++i) {
      const Arrival arrival = arrivals[i];
      outside_.include(arrival.step.to.tile, arrival.least.latency, arrival.least.energy);
      activations[part] = std::min(activations[part], arrival.least.activations);
    }
  });
  for (const Int128 least : activations) activations_ = std::min(activations_, least);
}

bool TileScreen::hopeful(TileIndex unrolled, const Terms& terms) const {
  if (!outside_[unrolled].is_finite()) return false;
  return !hopeless_(outside_[unrolled].and_then(floor_of(terms, open_count_)).floor(activations_));
}

std::uint64_t TileScreen::bytes(std::size_t levels, std::uint64_t tiles) {
  return tiles * levels + LeastOfTiles::bytes(tiles);
}

}  // namespace pimbb::dram_pim::mapper
