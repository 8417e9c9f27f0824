// Counting tiles, level by level.
#include "dram_pim/solver/memory_need.hpp"

#include <bit>

#include "dram_pim/mapper/arrivals.hpp"
#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/mapper/root_bounds.hpp"
#include "dram_pim/mapper/tile_screen.hpp"
#include "exact/factors.hpp"
#include "nest/covers.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// Unrollings of an innermost tile: not counted, about as many as there are on average.
constexpr std::size_t kOptions = 1;

/// The classes of loops between a tile and the bounds: those of the dimensions that have a loop.
std::size_t classes_outside(const Workload& workload, const Factors& c) {
  unsigned classes = 0;
  for (const Dim j : kAllDims) {
    if (c[index(j)] == workload.bound(j)) continue;
    const LoopClass of = irrelevant_tensor(j);
    classes |= 1U << (of ? index(*of) : kTensors);
  }
  return static_cast<std::size_t>(std::max(1, std::popcount(classes)));
}

}  // namespace

std::uint64_t memory_need(const Architecture& architecture, const Workload& workload,
                          RowModel row_model, const Scale& scale, const run::Guard& guard) {
  const std::size_t rb = architecture.row_buffer();
  std::vector<TensorFlags> stores;
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    stores.push_back(architecture.storable(m));
  }
  const Storage storage(architecture, workload, scale, stores);
  std::array<std::vector<std::int64_t>, kDims> divisors;
  std::uint64_t vectors = 1;
  for (const Dim j : kAllDims) {
    divisors[index(j)] = divisors_of(workload.bound(j));
    vectors *= divisors[index(j)].size();
  }
  const std::uint64_t first_decision =
      Arrivals::bytes_of_one(scale.fills_fit_64_bits, is_traced(row_model));
  const auto bytes = [&](const std::vector<std::size_t>& tiles, std::uint64_t without_k,
                         std::uint64_t first_decisions) {
    std::uint64_t sum =
        Lattice::bytes(vectors, tiles[rb]) + RowTable::bytes(row_model, tiles[rb], without_k);
    sum += first_decisions * first_decision;
    for (const std::size_t count : tiles) {
      sum += tiles[rb] * sizeof(std::uint32_t) + count * sizeof(TileIndex);
    }
    // With a known mapping few of many tiles are left (tile_screen.hpp), and few first decisions.
    if (tiles[rb] >= TileScreen::kMany) {
      sum += nest::Covers::bytes(tiles[rb], Lattice::most_covers(workload.bounds, tiles[rb]));
      sum += InsideFloors::bytes(rb, tiles[rb]) + TileScreen::bytes(rb, tiles[rb]);
      return sum + sum / 32;
    }
    sum += first_decisions * sizeof(RootBounds::Hopeful);
    sum += tiles[0] * (sizeof(std::vector<SpatialOption>) + kOptions * sizeof(SpatialOption));
    sum += CostToGo::bytes(storage, tiles, 1);
    return sum + sum / 32;  // for what is not counted
  };
  constexpr std::size_t kClasses = kTensors + 1;
  const std::uint64_t most =
      bytes(std::vector<std::size_t>(rb + 1, vectors), vectors, kClasses * vectors);
  if (most <= guard.room) return most;
  struct Counts {
    std::vector<std::size_t> tiles;
    std::uint64_t first_decisions = 0;
    std::uint64_t without_k = 0;
  };
  const Fits fits = fits_row_buffer(architecture, workload);
  const TileParts parts(divisors, fits);
  std::vector<Counts> counts(parts.size(), {std::vector<std::size_t>(rb + 1)});
  run::parallel_for(parts.size(), [&](std::size_t part) {
    run::GuardedSteps step(guard);
    Counts& count = counts[part];
    parts.for_each(part, [&](const Factors& c) {
      step();
      count.first_decisions += classes_outside(workload, c);
      count.without_k += c[index(Dim::K)] == 1 ? 1 : 0;
      Tile tile{};
      tile.c = c;
      for (const Tensor t : kAllTensors) tile.elements[index(t)] = workload.tile_elements(t, c);
      std::size_t m = rb;
      for (++count.tiles[m]; m > 0 && (m == 1 || storage.fits(m - 1, tile)); --m) {
        ++count.tiles[m - 1];
      }
    });
  });
  Counts all{std::vector<std::size_t>(rb + 1)};
  for (const Counts& count : counts) {
    for (std::size_t m = 0; m <= rb; ++m) all.tiles[m] += count.tiles[m];
    all.first_decisions += count.first_decisions;
    all.without_k += count.without_k;
  }
  return bytes(all.tiles, all.without_k, all.first_decisions);
}

}  // namespace pimbb::dram_pim::mapper
