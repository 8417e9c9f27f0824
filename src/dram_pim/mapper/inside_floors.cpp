// Minima over the tiles that divide a tile, level by level.
#include "dram_pim/mapper/inside_floors.hpp"

#include <algorithm>

#include "dram_pim/mapper/for_each_tile.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// Whether a part of a mapping that costs at least this may be one of a mapping of interest.
class IsHopeful {
 public:
  IsHopeful(const TileSpace& space, const Hopeless& hopeless)
      : mac_energy_(space.scale.mac_energy), hopeless_(hopeless) {}

  [[nodiscard]] bool operator()(const FloorOfTile& least) const {
    if (!least.is_finite()) return false;
    if (!hopeless_) return true;
    const Costs costs = least.floor(0);
    return !hopeless_({costs.latency, mac_energy_ + costs.energy, 0});
  }

 private:
  const Int128 mac_energy_;
  const Hopeless& hopeless_;
};

LeastOfTiles unrollings_inside(const TileSpace& space, const Storage& storage,
                               const nest::Spread& spread, const run::Guard& guard,
                               const IsHopeful& is_hopeful) {
  const Lattice& lattice = space.lattice;
  LeastOfTiles least(lattice.size());
  space.vectors.for_each_unrolling(
      lattice, guard, [&](const auto& array, const auto& internal, TileIndex tile) {
        const Terms terms = storage.leaf(lattice[array.tile].c, lattice[internal.tile].c);
        const FloorOfTile floor = floor_of(terms, storage.open_count());
        if (is_hopeful(floor)) least[tile].lower(floor);
      });
  least.spread_outwards(spread, guard);
  return least;
}

}  // namespace

Costs FloorOfTile::floor(Int128 activations) const {
  constexpr double kExact = 0x1p52;
  constexpr double kMargin = 1 - 0x1p-45;
  const auto down = [](double x) { return static_cast<Int128>(x < kExact ? x : x * kMargin); };
  return {down(latency), down(energy), activations};
}

void LeastOfTiles::spread_outwards(const nest::Spread& spread, const run::Guard& guard) {
  spread.outwards(guard, [&](TileIndex c, TileIndex cover) { of_[c].lower(of_[cover]); });
}

void LeastOfTiles::spread_inwards(const nest::Spread& spread, const run::Guard& guard) {
  spread.inwards(guard, [&](TileIndex c, TileIndex cover) { of_[cover].lower(of_[c]); });
}

FloorOfTile floor_of(const Terms& terms, std::size_t open_count) {
  Int128 slowest = terms.latency;
  for (std::size_t i = 0; i < open_count; ++i) slowest = std::max(slowest, terms.open[i]);
  return {static_cast<double>(slowest), static_cast<double>(terms.energy)};
}

FloorOfTile least_fill(const Storage& storage, std::size_t level, const Tile& tile) {
  FloorOfTile least;
  if (level > 0 && !storage.fits(level, tile)) return least;
  for (const Tensor t : kAllTensors) {
    least.lower(floor_of(storage.fill(level, tile, t, 1), storage.open_count()));
  }
  return least;
}

InsideFloors::InsideFloors(const TileSpace& space, const Storage& storage, std::size_t levels,
                           const run::Guard& guard, const Interest& interest) {
  const Lattice& lattice = space.lattice;
  const std::size_t rb = space.architecture.row_buffer();
  const IsHopeful is_hopeful(space, interest.hopeless);
  guard.need(bytes(levels, lattice.size()));
  lattice.list_covers(guard);  // for this and later passes
  const nest::Spread spread(lattice);
  inside_.push_back(unrollings_inside(space, storage, spread, guard, is_hopeful));
  while (inside_.size() < levels) {
    const std::size_t level = inside_.size() - 1;
    const LeastOfTiles& from = inside_.back();
    LeastOfTiles next(lattice.size());
    for_each_tile(lattice, guard, [&](TileIndex c) {
      if (!from[c].is_finite()) return;
      const FloorOfTile floor = least_fill(storage, level, lattice[c]).and_then(from[c]);
      if (is_hopeful(floor)) next[c] = floor;
    });
    next.spread_outwards(spread, guard);
    inside_.push_back(std::move(next));
    if (inside_.size() == rb && interest.fills) keep(lattice, *interest.fills);
  }
}

/// Of the outermost level that is known, these tiles only.
void InsideFloors::keep(const Lattice& lattice, const std::vector<Factors>& tiles) {
  LeastOfTiles& all = inside_.back();
  LeastOfTiles kept(lattice.size());
  for (const Factors& c : tiles) {
    const TileIndex i = lattice.find(c);
    if (i != kNoTile) kept[i] = all[i];
  }
  all = std::move(kept);
}

std::shared_ptr<const InsideFloors> inside_floors(const TileSpace& space, const Storage& storage,
                                                  std::size_t levels, const run::Guard& guard,
                                                  const Interest& interest) {
  if (space.store == nullptr || interest.fills) {
    return std::make_shared<const InsideFloors>(space, storage, levels, guard, interest);
  }
  const auto make = [&] {
    return std::make_shared<const InsideFloors>(space, storage, levels, guard);
  };
  const std::uint64_t tiles = space.lattice.size();
  const std::uint64_t covers = Lattice::most_covers(space.workload.bounds, tiles);
  const std::uint64_t bytes =  // with the lists that come with the first floors
      InsideFloors::bytes(levels, tiles) + nest::Covers::bytes(tiles + 1, covers);
  return space.store->inside(space.workload, {storage.stores(), levels}, bytes, make);
}

}  // namespace pimbb::dram_pim::mapper
