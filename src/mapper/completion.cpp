// The dynamic programme behind the completion bounds.
#include "mapper/completion.hpp"

#include <algorithm>

#include "search/parallel_for.hpp"

namespace pimbb::mapper {

LevelTiles::LevelTiles(const Architecture& architecture, const Lattice& lattice,
                       const SpatialVectors& vectors, const Storage& storage, bool prune) {
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
  std::vector<std::vector<SpatialOption>> found(tiles[0].size());
  search::parallel_for(found.size(), [&](std::size_t k) {
    found[k] = spatial_options(lattice, vectors, storage, lattice[tiles[0][k]], prune);
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

Completion::Completion(const Lattice& lattice, const Storage& storage, const LevelTiles& levels,
                       std::vector<Int128> thresholds)
    : lattice_(lattice),
      storage_(storage),
      levels_(levels),
      thresholds_(std::move(thresholds)),
      open_count_(storage.open_count()),
      width_(1 + open_count_ + thresholds_.size()),
      tables_(levels.tiles.size() - 1) {
  for (const Tensor t : kAllTensors) {
    anchor_base_[index(t)] = anchors_per_tile_;
    anchors_per_tile_ += lattice.anchors(t);
  }
  fill_leaves();
  for (std::size_t m = 1; m < tables_.size(); ++m) fill_level(m);
  fill_relaxed();
}

const Int128* Completion::at(std::size_t level, const State& state) const {
  const std::size_t place = levels_.slot[level][state.tile];
  if (level == 0) return &tables_[0].broken[place * width_];
  return &tables_[level].entry[anchor_place(place, state.stationary, state.anchor)];
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

void Completion::lower(Int128* target, const Int128* other, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) target[i] = std::min(target[i], other[i]);
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

void Completion::fill_level(std::size_t m) {
  const std::size_t places = levels_.tiles[m].size();
  tables_[m].broken.assign(places * width_, kInfinity);
  tables_[m].entry.assign(places * anchors_per_tile_ * width_, kInfinity);
  search::parallel_for(places, [&](std::size_t place) { fill_place(m, place); });
}

void Completion::fill_place(std::size_t m, std::size_t place) {
  const TileIndex here = levels_.tiles[m][place];
  const Tile& tile = lattice_[here];
  std::vector<TileIndex> inner;
  Int128* broken = &tables_[m].broken[place * width_];
  lattice_.divisors(tile, inner);
  for (const TileIndex to : inner) {
    if (to == here || !levels_.admits(m - 1, to)) continue;
    // Every class of the step with its run beginning at this tile. Where the run could be carried
    // the entry below is lower still, so counting the class here as well does no harm.
    const DimMask loops = Lattice::step_mask(tile, lattice_[to]);
    for (const Tensor t : kAllTensors) {
      if ((loops & irrelevant_mask(t)) == 0) continue;
      const std::uint32_t anchor = tile.anchor[index(t)];
      const Terms terms = storage_.fill(m - 1, lattice_[to], t, lattice_.outer(t, anchor));
      lower(broken, terms, at(m - 1, {to, t, anchor}));
    }
  }
  std::vector<std::uint32_t> anchors;
  for (const Tensor t : kAllTensors) {
    lattice_.divisors(tile, irrelevant_mask(t), inner);
    std::erase_if(inner, [&](TileIndex to) { return !levels_.admits(m - 1, to); });
    lattice_.anchors_above(tile, t, anchors);
    for (const std::uint32_t anchor : anchors) {
      Int128* entry = &tables_[m].entry[anchor_place(place, t, anchor)];
      lower(entry, broken, width_);
      for (const TileIndex to : inner) {
        const Terms terms = storage_.fill(m - 1, lattice_[to], t, lattice_.outer(t, anchor));
        lower(entry, terms, at(m - 1, {to, t, anchor}));
      }
    }
  }
}

void Completion::fill_relaxed() {
  const std::size_t level = tables_.size() - 1;
  relaxed_.assign(lattice_.size() * width_, kInfinity);
  std::vector<TileIndex> covers;
  for (TileIndex i = 0; i < lattice_.size(); ++i) {
    Int128* entry = &relaxed_[i * width_];
    if (levels_.admits(level, i)) {
      // A run that has lasted since the DRAM moves least, so it bounds every other.
      for (const Tensor t : kAllTensors) {
        const std::uint32_t anchor = lattice_.full_anchor(t);
        lower(entry, storage_.fill(level, lattice_[i], t, 1), at(level, {i, t, anchor}));
      }
    }
    lattice_.lower_covers(lattice_[i], covers);  // tiles inside come earlier in the list
    for (const TileIndex to : covers) lower(entry, &relaxed_[to * width_], width_);
  }
}

}  // namespace pimbb::mapper
