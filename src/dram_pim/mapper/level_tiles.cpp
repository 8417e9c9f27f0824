// Tiles from the row buffer inwards, and the options of the innermost.
#include "dram_pim/mapper/level_tiles.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "exact/factors.hpp"
#include "nest/spread.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

using Options = std::vector<std::uint32_t>;  // places in the menu

/// Places in `tiles` by the number of prime factors, ascending: a tile comes after its divisors.
std::vector<std::vector<std::uint32_t>> by_prime_factors(const Lattice& lattice,
                                                         const std::vector<TileIndex>& tiles,
                                                         run::GuardedSteps& step) {
  std::array<std::vector<std::uint8_t>, kDims> factors;  // of the divisors of each bound
  std::size_t most = 0;
  for (std::size_t j = 0; j < kDims; ++j) {
    for (std::size_t at = 0; at < lattice.divisor_count(j); ++at) {
      const auto primes = prime_factors_of(lattice.divisor(j, at));
      factors[j].push_back(static_cast<std::uint8_t>(primes.size()));
    }
    most += factors[j].back();
  }
  std::vector<std::vector<std::uint32_t>> places(most + 1);
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    step();
    const Tile& tile = lattice[tiles[k]];
    std::size_t count = 0;
    for (std::size_t j = 0; j < kDims; ++j) count += factors[j][tile.at[j]];
    places[count].push_back(static_cast<std::uint32_t>(k));
  }
  return places;
}

/// For each of the tiles, whether `holds(tile)`, which may be called on any thread.
template <class Holds>
std::vector<char> which(const std::vector<TileIndex>& tiles, const run::Guard& guard,
                        const Holds& holds) {
  constexpr std::size_t kChunk = 512;
  std::vector<char> found(tiles.size());
  run::for_each_chunk(tiles.size(), kChunk, [&](const run::Chunk& chunk) {
    guard.check();
    for (std::size_t k = chunk.begin; k < chunk.end; ++k) found[k] = holds(tiles[k]) ? 1 : 0;
  });
  return found;
}

/// The tiles that are marked.
std::vector<TileIndex> marked(const std::vector<TileIndex>& tiles, const std::vector<char>& marks) {
  std::vector<TileIndex> found;
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    if (marks[k] != 0) found.push_back(tiles[k]);
  }
  return found;
}

/// The options of many tiles, which are closed under division, from small ones to large ones: a
/// tile has none if a tile just below has none, and its first option is not before theirs
/// (spatial.hpp).
std::vector<Options> options_upwards(const Lattice& lattice, const SpatialMenu& menu,
                                     const std::vector<TileIndex>& tiles, bool prune,
                                     const run::Guard& guard) {
  constexpr std::size_t kChunk = 64;
  run::GuardedSteps step(guard);
  std::vector<Options> found(tiles.size());
  std::vector<std::uint32_t> first = menu.places();
  std::vector<char> unrollable(lattice.size(), 0);
  for (const auto& places : by_prime_factors(lattice, tiles, step)) {
    run::for_each_chunk(places.size(), kChunk, [&](const run::Chunk& chunk) {
      guard.check();
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const TileIndex c = tiles[places[i]];
        bool possible = true;
        lattice.for_each_cover(lattice[c], kEveryDim, [&](TileIndex cover) {
          possible = possible && unrollable[cover] != 0;
          first[c] = std::min(first[c], first[cover]);
        });
        if (!possible) continue;
        Options& options = found[places[i]];
        options = menu.options(lattice[c], prune, guard, first[c]);
        if (options.empty()) continue;
        unrollable[c] = 1;
        first[c] = options.front();
      }
    });
  }
  return found;
}

/// `closed`: the tiles are closed under division.
std::vector<Options> options_of(const Lattice& lattice, const SpatialMenu& menu,
                                const std::vector<TileIndex>& tiles, bool closed, bool prune,
                                const run::Guard& guard) {
  if (closed && tiles.size() >= LevelTiles::kManyTiles && menu.is_monotone()) {
    return options_upwards(lattice, menu, tiles, prune, guard);
  }
  std::vector<Options> found(tiles.size());
  run::parallel_for(found.size(), [&](std::size_t k) {
    guard.check();
    found[k] = menu.options(lattice[tiles[k]], prune, guard);
  });
  return found;
}

}  // namespace

LevelTiles::LevelTiles(const Architecture& architecture, const Lattice& lattice,
                       const SpatialVectors& vectors, const Storage& storage, bool prune,
                       const DataflowRule& rule, const run::Guard& guard,
                       const ConstraintRule& constraints, const TileScreen* screen) {
  const std::size_t rb = architecture.row_buffer();
  tiles.resize(rb + 1);
  tiles[rb].resize(lattice.size());
  std::iota(tiles[rb].begin(), tiles[rb].end(), TileIndex{0});
  for (std::size_t m = rb; m-- > 0;) {
    const auto fits = [&](TileIndex i) { return storage.fits(m, lattice[i]); };
    tiles[m] = m == 0 ? tiles[1] : marked(tiles[m + 1], which(tiles[m + 1], guard, fits));
    if (screen != nullptr) keep_hopeful(lattice, *screen, m, guard);
  }
  SpatialMenu::Wanted wanted;
  if (screen != nullptr) {
    wanted = [&](TileIndex unrolled, const Terms& terms) {
      return screen->hopeful(unrolled, terms);
    };
    const auto hopeful = [&](TileIndex i) { return screen->hopeful(0, i); };
    tiles[0] = marked(tiles[0], which(tiles[0], guard, hopeful));
  }
  const SpatialMenu all(lattice, vectors, storage, rule, constraints, guard, wanted);
  take(all, options_of(lattice, all, tiles[0], screen == nullptr, prune, guard));
  fill<std::uint32_t>(slot, lattice.size(), kNone, guard,
                      [](std::size_t, std::size_t place, TileIndex) { return place; });
  if (!constraints.limits_factors() && screen == nullptr) return;
  fill<char>(reached, lattice.size(), 0, guard, [&](std::size_t m, std::size_t, TileIndex i) {
    const bool hopeful = screen == nullptr || m == rb || screen->hopeful(m, i);
    return hopeful && constraints.reaches(m, lattice[i].c) ? 1 : 0;
  });
}

/// Makes a table of each level: for its tiles what `of(level, place in tiles, tile)` gives, which
/// may be called on any thread, and `none` for others.
template <class Entry, class Of>
void LevelTiles::fill(std::vector<run::RawTable<Entry>>& tables, std::size_t size, Entry none,
                      const run::Guard& guard, const Of& of) const {
  constexpr std::size_t kChunk = 4096;
  const std::size_t parts = run::chunk_count(size, kChunk);
  tables.resize(tiles.size());
  for (auto& table : tables) table.resize(size);
  run::parallel_for(tiles.size() * parts, [&](std::size_t k) {
    guard.check();
    const std::size_t m = k / parts;
    const std::size_t begin = k % parts * kChunk;
    const std::size_t end = std::min(size, begin + kChunk);
    std::fill(tables[m].begin() + begin, tables[m].begin() + end, none);
    const auto first = std::ranges::lower_bound(tiles[m], static_cast<TileIndex>(begin));
    for (auto i = first; i != tiles[m].end() && *i < end; ++i) {
      tables[m][*i] = static_cast<Entry>(of(m, i - tiles[m].begin(), *i));
    }
  });
}

/// Keeps the tiles of a level that are hopeful, and those that divide one of them: where they are
/// few, they alone are looked at; where they are many, all tiles are, by all threads.
void LevelTiles::keep_hopeful(const Lattice& lattice, const TileScreen& screen, std::size_t level,
                              const run::Guard& guard) {
  constexpr std::ptrdiff_t kMany = 4096;
  const std::vector<char> hopeful =
      which(tiles[level], guard, [&](TileIndex c) { return screen.hopeful(level, c); });
  std::vector<char> kept(lattice.size(), 0);
  for (std::size_t k = 0; k < hopeful.size(); ++k) kept[tiles[level][k]] = hopeful[k];
  if (std::ranges::count(hopeful, 1) < kMany) {
    for (std::size_t k = tiles[level].size(); k-- > 0;) {
      const TileIndex c = tiles[level][k];
      if (kept[c] == 0) continue;
      lattice.for_each_cover(lattice[c], kEveryDim, [&](TileIndex cover) { kept[cover] = 1; });
    }
  } else {
    nest::Spread(lattice).inwards(guard, [&](TileIndex c, TileIndex cover) {
      if (kept[c] != 0) kept[cover] = 1;
    });
  }
  std::erase_if(tiles[level], [&](TileIndex c) { return kept[c] == 0; });
}

/// Keeps the level-0 tiles that have options, and these.
void LevelTiles::take(const SpatialMenu& from, const std::vector<Options>& found) {
  std::vector<std::uint32_t> place(from.size(), kNone);  // in `menu`
  std::vector<TileIndex> unrollable;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k].empty()) continue;
    unrollable.push_back(tiles[0][k]);
    choices_at.push_back(choices.size());
    for (const std::uint32_t option : found[k]) {
      if (place[option] == kNone) {
        place[option] = static_cast<std::uint32_t>(menu.size());
        menu.push_back(from[option]);
      }
      choices.push_back(place[option]);
    }
  }
  choices_at.push_back(choices.size());
  tiles[0] = std::move(unrollable);
}

/// Options that tiles share count for each of them, so that the sum is known to be no less.
std::uint64_t LevelTiles::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& level : reached) sum += level.size();
  for (const auto& places : slot) sum += places.size() * sizeof(std::uint32_t);
  for (const auto& list : tiles) sum += list.size() * sizeof(TileIndex);
  return sum + choices.size() * sizeof(SpatialOption) +
         tiles[0].size() * (sizeof(choices[0]) + 2 * sizeof(choices_at[0]));
}

std::vector<std::size_t> LevelTiles::sizes() const {
  std::vector<std::size_t> sizes;
  for (const auto& list : tiles) sizes.push_back(list.size());
  return sizes;
}

}  // namespace pimbb::dram_pim::mapper
