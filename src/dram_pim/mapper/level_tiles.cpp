// Tiles from the row buffer inwards, and the options of the innermost.
#include "dram_pim/mapper/level_tiles.hpp"

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {

LevelTiles::LevelTiles(const Architecture& architecture, const Lattice& lattice,
                       const SpatialVectors& vectors, const Storage& storage, bool prune,
                       const DataflowRule& rule, const run::Guard& guard,
                       const ConstraintRule& constraints) {
  const std::size_t rb = architecture.row_buffer();
  tiles.resize(rb + 1);
  slot.assign(rb + 1, std::vector<std::uint32_t>(lattice.size(), kNone));
  for (TileIndex i = 0; i < lattice.size(); ++i) tiles[rb].push_back(i);
  for (std::size_t m = rb; m-- > 0;) {
    for (const TileIndex i : tiles[m + 1]) {
      if (m == 0 || storage.fits(m, lattice[i])) tiles[m].push_back(i);
    }
  }
  const SpatialMenu menu(lattice, vectors, storage, rule, constraints, guard);
  std::vector<std::vector<SpatialOption>> found(tiles[0].size());
  run::parallel_for(found.size(), [&](std::size_t k) {
    guard.check();
    found[k] = menu.options(lattice[tiles[0][k]], prune, guard);
  });
  std::vector<TileIndex> unrollable;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k].empty()) continue;
    unrollable.push_back(tiles[0][k]);
    options.push_back(std::move(found[k]));
  }
  tiles[0] = std::move(unrollable);
  for (std::size_t m = 0; m <= rb; ++m) {
    for (std::size_t k = 0; k < tiles[m].size(); ++k) {
      slot[m][tiles[m][k]] = static_cast<std::uint32_t>(k);
    }
  }
  if (!constraints.limits_factors()) return;
  run::GuardedSteps step(guard);
  for (std::size_t m = 0; m <= rb; ++m) {
    std::vector<char>& level = reached.emplace_back(lattice.size(), 0);
    for (const TileIndex i : tiles[m]) {
      step();
      level[i] = constraints.reaches(m, lattice[i].c) ? 1 : 0;
    }
  }
}

std::uint64_t LevelTiles::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& level : reached) sum += level.size();
  for (const auto& places : slot) sum += places.size() * sizeof(std::uint32_t);
  for (const auto& list : tiles) sum += list.size() * sizeof(TileIndex);
  for (const auto& list : options)
    sum += sizeof(std::vector<SpatialOption>) + list.size() * sizeof(SpatialOption);
  return sum;
}

std::vector<std::size_t> LevelTiles::sizes() const {
  std::vector<std::size_t> sizes;
  for (const auto& list : tiles) sizes.push_back(list.size());
  return sizes;
}

}  // namespace pimbb::dram_pim::mapper
