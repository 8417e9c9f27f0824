// The dynamic programme behind the completion bounds.
#include "mapper/completion.hpp"

#include <algorithm>

#include "search/parallel_for.hpp"

namespace pimbb::mapper {

LevelTiles::LevelTiles(const Architecture& architecture, const Lattice& lattice,
                       const SpatialVectors& vectors, const Storage& storage, bool prune,
                       const DataflowRule& rule, const search::Guard& guard) {
  const std::size_t rb = architecture.row_buffer();
  tiles.resize(rb + 1);
  slot.assign(rb + 1, std::vector<std::uint32_t>(lattice.size(), kNone));
  for (TileIndex i = 0; i < lattice.size(); ++i) tiles[rb].push_back(i);
  // A tile lies inside the tiles of all outer levels, so it must fit every one of them.
  for (std::size_t m = rb; m-- > 0;) {
    for (const TileIndex i : tiles[m + 1]) {
      if (m == 0 || storage.fits(m, lattice[i])) tiles[m].push_back(i);
    }
  }
  const SpatialMenu menu(lattice, vectors, storage, rule);
  std::vector<std::vector<SpatialOption>> found(tiles[0].size());
  search::parallel_for(found.size(), [&](std::size_t k) {
    guard.check();
    found[k] = menu.options(lattice[tiles[0][k]], prune);
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
}

std::uint64_t LevelTiles::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& places : slot) sum += places.size() * sizeof(std::uint32_t);
  for (const auto& list : tiles) sum += list.size() * sizeof(TileIndex);
  for (const auto& list : options) sum += sizeof(list) + list.size() * sizeof(SpatialOption);
  return sum;
}

/// An entry for each tile: of the row buffer, of the leaves, four of each level between; and two
/// more while a level is filled, the outermost being the largest.
std::uint64_t Completion::bytes(const Lattice& lattice, const Storage& storage,
                                const LevelTiles& levels, std::size_t thresholds) {
  std::uint64_t entries = lattice.size() + levels.tiles[0].size();
  for (std::size_t m = 1; m + 1 < levels.tiles.size(); ++m) entries += 4 * levels.tiles[m].size();
  entries += 2 * levels.tiles[levels.tiles.size() - 2].size();
  return entries * (1 + storage.open_count() + thresholds) * sizeof(Int128);
}

Completion::Completion(const Lattice& lattice, const Storage& storage, const LevelTiles& levels,
                       std::vector<Int128> thresholds, const DataflowRule& rule,
                       const search::Guard& guard)
    : lattice_(lattice),
      storage_(storage),
      levels_(levels),
      rule_(rule),
      thresholds_(std::move(thresholds)),
      open_count_(storage.open_count()),
      width_(1 + open_count_ + thresholds_.size()),
      tables_(levels.tiles.size() - 1) {
  guard.need(bytes(lattice, storage, levels, thresholds_.size()));
  fill_leaves();
  for (std::size_t m = 1; m < tables_.size(); ++m) fill_level(m, guard);
  fill_relaxed();
}

void Completion::lower(Int128* target, const Terms& terms, const Int128* rest) const {
  Int128 slowest = rest ? std::max(terms.latency, rest[0]) : terms.latency;
  target[0] = std::min(target[0], slowest);
  slowest = terms.latency;
  for (std::size_t i = 0; i < open_count_; ++i) {
    slowest = std::max(slowest, terms.open[i]);
    const Int128 sum = terms.open[i] + (rest ? rest[1 + i] : 0);
    target[1 + i] = std::min(target[1 + i], sum);
  }
  const std::size_t first = 1 + open_count_;
  for (std::size_t k = 0; k < thresholds_.size(); ++k) {
    if (slowest > thresholds_[k]) continue;
    const Int128 sum = terms.energy + (rest ? rest[first + k] : 0);
    target[first + k] = std::min(target[first + k], sum);
  }
}

void Completion::fill_leaves() {
  auto& leaves = tables_[0].broken;
  leaves.assign(levels_.tiles[0].size() * width_, kInfinity);
  for (std::size_t k = 0; k < levels_.tiles[0].size(); ++k) {
    for (const SpatialOption& option : levels_.options[k]) {
      lower(&leaves[k * width_], option.terms, nullptr);
    }
  }
}

void Completion::fill_level(std::size_t m, const search::Guard& guard) {
  Level& level = tables_[m];
  const std::vector<TileIndex>& tiles = levels_.tiles[m];
  PerTensor<std::vector<Int128>> broken;
  std::vector<std::pair<Tensor, std::uint32_t>> anchors;
  for (const Tensor t : kAllTensors) {
    broken[index(t)].assign(tiles.size() * width_, kInfinity);
    level.best[index(t)].assign(tiles.size() * width_, kInfinity);
    std::vector<char> occurs(lattice_.anchors(t), 0);
    occurs[lattice_.full_anchor(t)] = 1;
    for (const TileIndex c : tiles) occurs[lattice_[c].anchor[index(t)]] = 1;
    for (std::uint32_t a = 0; a < occurs.size(); ++a) {
      if (occurs[a] != 0) anchors.emplace_back(t, a);
    }
  }
  search::parallel_for(anchors.size(), [&](std::size_t k) {
    run_anchor(m, anchors[k].first, anchors[k].second, broken, guard);
  });
  level.broken = std::move(broken[0]);
  for (std::size_t t = 1; t < kTensors; ++t) {
    for (std::size_t i = 0; i < level.broken.size(); ++i) {
      level.broken[i] = std::min(level.broken[i], broken[t][i]);
    }
  }
  for (auto& best : level.best) {
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::min(best[i], level.broken[i]);
  }
}

/// Carries runs of t that began at `anchor` from level 1 up to level m, and takes from them what
/// tiles with that irrelevant part can do by breaking a run.
void Completion::run_anchor(std::size_t m, Tensor t, std::uint32_t anchor,
                            PerTensor<std::vector<Int128>>& broken, const search::Guard& guard) {
  thread_local std::vector<Int128> carried;  // per place in `tiles`, this level
  thread_local std::vector<Int128> inner;    // the level below
  const Lattice::AnchorTiles& tiles = lattice_.below_anchor(t, anchor);
  const std::int64_t outer = lattice_.outer(t, anchor);
  carried.resize(std::max(carried.size(), tiles.tile.size() * width_));
  inner.resize(std::max(inner.size(), tiles.tile.size() * width_));
  for (std::size_t level = 1; level <= m; ++level) {
    guard.check();
    for (std::size_t k = 0; k < tiles.tile.size(); ++k) {
      const TileIndex c = tiles.tile[k];
      if (!levels_.admits(m, c)) continue;  // nor anything that needs its entry
      Int128* entry = &carried[k * width_];
      std::fill_n(entry, width_, kInfinity);
      if (levels_.admits(level - 1, c) && rule_.may_arrive(lattice_, level - 1, lattice_[c], t)) {
        const Int128* here = &tables_[level - 1].broken[place(level - 1, c)];
        if (level > 1) lower(&inner[k * width_], here);
        lower(entry, storage_.fill(level - 1, lattice_[c], t, outer),
              level > 1 ? &inner[k * width_] : here);
      }
      for (std::uint32_t j = tiles.cover_begin[k]; j < tiles.cover_begin[k + 1]; ++j) {
        lower(entry, &carried[tiles.cover[j] * width_]);
      }
    }
    std::swap(carried, inner);
  }
  // `inner` now has carry(c, t, anchor) at level m.
  DimMask breaking = kEveryDim & ~irrelevant_mask(t);
  if (const auto kept = rule_.stationary_at(m); kept && *kept != t) {
    breaking = static_cast<DimMask>(breaking & ~irrelevant_mask(*kept));
  }
  for (std::size_t k = 0; k < tiles.tile.size(); ++k) {
    const TileIndex c = tiles.tile[k];
    if (!levels_.admits(m, c)) continue;
    if (anchor == lattice_.full_anchor(t)) {
      std::copy_n(&inner[k * width_], width_, &tables_[m].best[index(t)][place(m, c)]);
    }
    if (lattice_[c].anchor[index(t)] != anchor) continue;
    Int128* entry = &broken[index(t)][place(m, c)];
    lower(entry, &inner[k * width_]);
    lattice_.for_each_cover(lattice_[c], breaking, [&](TileIndex cover) {
      lower(entry, &broken[index(t)][place(m, cover)]);
    });
  }
}

void Completion::carry(std::size_t level, const State& state, Int128* target) const {
  std::vector<TileIndex> inner;
  lattice_.divisors(lattice_[state.tile], irrelevant_mask(state.stationary), inner);
  const std::int64_t outer = lattice_.outer(state.stationary, state.anchor);
  std::array<Int128, kMaxWidth> rest;
  for (const TileIndex to : inner) {
    if (!levels_.admits(level - 1, to)) continue;
    if (!rule_.may_arrive(lattice_, level - 1, lattice_[to], state.stationary)) continue;
    at(level - 1, {to, state.stationary, state.anchor}, rest.data());
    lower(target, storage_.fill(level - 1, lattice_[to], state.stationary, outer), rest.data());
  }
}

void Completion::at(std::size_t level, const State& state, Int128* entry) const {
  std::copy_n(&tables_[level].broken[place(level, state.tile)], width_, entry);
  if (level > 0) carry(level, state, entry);
}

void Completion::fill_relaxed() {
  const std::size_t level = tables_.size() - 1;
  relaxed_.assign(lattice_.size() * width_, kInfinity);
  for (TileIndex i = 0; i < lattice_.size(); ++i) {
    Int128* entry = &relaxed_[i * width_];
    if (levels_.admits(level, i)) {
      // A run that has lasted since the DRAM moves least, so it bounds every other.
      for (const Tensor t : kAllTensors) {
        lower(entry, storage_.fill(level, lattice_[i], t, 1), best(level, i, t));
      }
    }
    lattice_.for_each_cover(lattice_[i], kEveryDim,  // tiles inside come earlier in the list
                            [&](TileIndex to) { lower(entry, &relaxed_[to * width_]); });
  }
}

}  // namespace pimbb::mapper
