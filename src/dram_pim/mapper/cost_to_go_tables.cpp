// Filling the tables, from the PEs outwards.
#include "dram_pim/mapper/cost_to_go_tables.hpp"

#include <boost/container/small_vector.hpp>

#include "dram_pim/mapper/for_each_tile.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// Numbers that one task fills or compares.
constexpr std::size_t kNumbersAtATime = std::size_t{1} << 14;
/// Tiles whose unrollings one task looks at.
constexpr std::size_t kLeavesAtATime = 256;

/// The tiles whose part that is irrelevant to t is `part`, those with one of `relevant` parts only.
/// They are put into `some`.
void find_tiles(const Lattice& lattice, Tensor t, std::uint32_t part,
                const std::vector<std::uint32_t>& relevant, std::vector<TileIndex>& some) {
  some.clear();
  const std::uint32_t irrelevant = lattice.anchor_id(t, part);
  for (const std::uint32_t id : relevant) some.push_back(lattice.with_id(id + irrelevant));
}

}  // namespace

template <class Number>
CostToGoTables<Number>::CostToGoTables(const Lattice& lattice, const Storage& storage,
                                       const LevelTiles& levels,
                                       const std::vector<Int128>& thresholds, DataflowRule rule,
                                       const run::Guard& guard, const Hopeless& hopeless)
    : lattice_(lattice),
      storage_(storage),
      levels_(levels),
      rule_(std::move(rule)),
      open_count_(storage.open_count()),
      width_(1 + open_count_ + thresholds.size()),
      tables_(levels.tiles.size() - 1) {
  for (const Int128 threshold : thresholds) {
    const bool narrow = sizeof(Number) < sizeof(Int128);
    const Int128 steps = narrow ? threshold / storage.scale().cycle_step : threshold;
    thresholds_.push_back(static_cast<Number>(std::min<Int128>(steps, kNone)));
  }
  fill_leaves(guard);
  for (std::size_t m = 1; m < tables_.size(); ++m) {
    fill_level(m, m + 1 < tables_.size() ? Hopeless() : hopeless, guard);
  }
  fill_relaxed(guard);
}

template <class Number>
void CostToGoTables<Number>::lower(Number* target, const TermsOf<Number>& terms,
                                   const Number* rest) const {
  Number slowest = rest ? std::max(terms.latency, rest[0]) : terms.latency;
  target[0] = std::min(target[0], slowest);
  slowest = terms.latency;
  // Local counts: for all that the compiler knows, the members may change with every number stored.
  const std::size_t first = 1 + open_count_;
  const std::size_t thresholds = width_ - first;
  for (std::size_t i = 0; i + 1 < first; ++i) {
    slowest = std::max(slowest, terms.open[i]);
    const Number sum = terms.open[i] + (rest ? rest[1 + i] : 0);
    target[1 + i] = std::min(target[1 + i], sum);
  }
  const Number* const threshold = thresholds_.data();
  for (std::size_t k = 0; k < thresholds; ++k) {
    if (slowest > threshold[k]) continue;
    const Number sum = terms.energy + (rest ? rest[first + k] : 0);
    target[first + k] = std::min(target[first + k], sum);
  }
}

template <class Number>
auto CostToGoTables<Number>::infinite(std::size_t entries) const -> Numbers {
  Numbers numbers;
  numbers.resize(entries * width_);
  run::for_each_chunk(numbers.size(), kNumbersAtATime, [&](const run::Chunk& chunk) {
    std::fill_n(numbers.data() + chunk.begin, chunk.end - chunk.begin, kNone);
  });
  return numbers;
}

template <class Number>
void CostToGoTables<Number>::fill_leaves(const run::Guard& guard) {
  const std::size_t count = levels_.tiles[0].size();
  auto& leaves = tables_[0].broken;
  leaves = infinite(count);
  run::for_each_chunk(count, kLeavesAtATime, [&](const run::Chunk& chunk) {
    run::GuardedSteps step(guard);
    for (std::size_t k = chunk.begin; k < chunk.end; ++k) {
      step(1 + levels_.options(k).size());
      for (const SpatialOption& option : levels_.options(k)) {
        lower(&leaves[k * width_], option.terms.as<Number>(storage_.scale(), open_count_), nullptr);
      }
    }
  });
}

template <class Number>
void CostToGoTables<Number>::fill_level(std::size_t m, const Hopeless& hopeless,
                                        const run::Guard& guard) {
  Level& level = tables_[m];
  PerTensor<Numbers> broken;
  for (auto& best : level.best) best = infinite(levels_.tiles[m].size());
  const std::vector<TileIndex> tiles =
      hopeless ? hopeful_tiles(m, broken, hopeless, guard) : levels_.tiles[m];
  std::vector<char> hopeful;  // by tile; empty: all are
  if (tiles.size() < levels_.tiles[m].size()) {
    hopeful.assign(lattice_.size(), 0);
    for (const TileIndex c : tiles) hopeful[c] = 1;
    closed_leaves_ = leaves_are_closed();
  }
  PerTensor<std::vector<char>> occurs;
  run::parallel_for(kTensors, [&](std::size_t k) {
    const Tensor t = kAllTensors[k];
    broken[k] = infinite(levels_.tiles[m].size());
    std::vector<char> anchors(lattice_.anchors(t), 0);
    anchors[lattice_.full_anchor(t)] = 1;
    for (const TileIndex c : tiles) anchors[lattice_[c].anchor[k]] = 1;
    occurs[k] = std::move(anchors);
  });
  std::vector<std::pair<Tensor, std::uint32_t>> anchors;
  for (const Tensor t : kAllTensors) {
    for (std::uint32_t a = 0; a < lattice_.anchors(t); ++a) {
      if (occurs[index(t)][a] != 0) anchors.emplace_back(t, a);
    }
  }
  run::parallel_for(anchors.size(), [&](std::size_t k) {
    const auto [t, anchor] = anchors[k];
    Parts parts;
    if (!hopeful.empty() && anchor != lattice_.full_anchor(t)) {
      find_parts(m, t, anchor, hopeful, parts);
    }
    run_anchor(m, t, anchor, parts, broken[index(t)], guard);
  });
  level.broken = std::move(broken[0]);
  take_least(level, broken);
}

/// Of runs that may break, whichever tensor is stationary then: `broken` of the first tensor is in
/// the level already.
template <class Number>
void CostToGoTables<Number>::take_least(Level& level, const PerTensor<Numbers>& broken) {
  run::for_each_chunk(level.broken.size(), kNumbersAtATime, [&](const run::Chunk& chunk) {
    const auto [part, begin, end] = chunk;
    for (std::size_t t = 1; t < kTensors; ++t) {
      lower(&level.broken[begin], &broken[t][begin], end - begin);
    }
    for (Numbers& best : level.best) lower(&best[begin], &level.broken[begin], end - begin);
  });
}

/// The tiles of level m that are not hopeless. Writes into `best` of this level what is written
/// there again later, and something into `scratch`.
template <class Number>
std::vector<TileIndex> CostToGoTables<Number>::hopeful_tiles(std::size_t m,
                                                             PerTensor<Numbers>& scratch,
                                                             const Hopeless& hopeless,
                                                             const run::Guard& guard) {
  const std::vector<TileIndex>& tiles = levels_.tiles[m];
  const PerTensor<Numbers>& best = tables_[m].best;
  run::parallel_for(kTensors, [&](std::size_t k) {
    const Tensor t = kAllTensors[k];
    scratch[k] = infinite(tiles.size());
    run_anchor(m, t, lattice_.full_anchor(t), {}, scratch[k], guard);
    scratch[k] = best[k];
    run::GuardedSteps step(guard);
    for (const TileIndex c : tiles) {
      step();
      Number* const entry = &scratch[k][place(m, c)];
      lattice_.for_each_cover(lattice_[c], breaking(m, t),
                              [&](TileIndex cover) { lower(entry, &scratch[k][place(m, cover)]); });
    }
  });
  constexpr std::size_t kChunk = 1024;
  std::vector<std::vector<TileIndex>> parts(run::chunk_count(tiles.size(), kChunk));
  run::for_each_chunk(tiles.size(), kChunk, [&](const run::Chunk& chunk) {
    guard.check();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read
    std::array<Number, kMaxWidth> rest;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const bool out = std::ranges::all_of(kAllTensors, [&](Tensor t) {
        std::copy_n(&best[index(t)][i * width_], width_, rest.data());
        for (const Numbers& broken : scratch) lower(rest.data(), &broken[i * width_]);
        return hopeless(tiles[i], t, rest.data());
      });
      if (!out) parts[chunk.number].push_back(tiles[i]);
    }
  });
  std::vector<TileIndex> hopeful;
  for (const auto& part : parts) hopeful.insert(hopeful.end(), part.begin(), part.end());
  return hopeful;
}

/// Dimensions in which a tile may differ from the one at which its run of t breaks.
template <class Number>
DimMask CostToGoTables<Number>::breaking(std::size_t m, Tensor t) const {
  const auto relevant = static_cast<DimMask>(kEveryDim & ~irrelevant_mask(t));
  const auto kept = rule_.stationary_at(m);
  if (!kept || *kept == t) return relevant;
  return static_cast<DimMask>(relevant & ~irrelevant_mask(*kept));
}

/// Whether every tile that divides a leaf is one.
template <class Number>
bool CostToGoTables<Number>::leaves_are_closed() const {
  if (!levels_.reached.empty()) return false;
  return std::ranges::all_of(levels_.tiles[0], [&](TileIndex c) {
    bool closed = true;
    lattice_.for_each_cover(lattice_[c], kEveryDim,
                            [&](TileIndex cover) { closed = closed && levels_.has(0, cover); });
    return closed;
  });
}

/// From large tiles to small ones: a tile is needed if it is hopeful, or just below one that is.
template <class Number>
void CostToGoTables<Number>::find_parts(std::size_t m, Tensor t, std::uint32_t anchor,
                                        const std::vector<char>& hopeful, Parts& parts) const {
  thread_local std::vector<char> needed;  // by tile; all 0 between calls
  needed.resize(std::max(needed.size(), lattice_.size()), 0);
  parts.all = false;
  const std::uint32_t irrelevant = lattice_.anchor_id(t, anchor);
  const std::vector<TileIndex>& tiles = lattice_.with_anchor(t, anchor);
  for (std::size_t i = tiles.size(); i-- > 0;) {
    const TileIndex c = tiles[i];
    if (hopeful[c] == 0 && needed[c] == 0) continue;
    needed[c] = 0;
    lattice_.for_each_cover(lattice_[c], breaking(m, t),
                            [&](TileIndex cover) { needed[cover] = 1; });
    parts.tiles.push_back(c);
    const std::uint32_t relevant = lattice_[c].id - irrelevant;
    if (m == 1 && closed_leaves_ && !levels_.has(0, lattice_.with_id(relevant))) continue;
    parts.ids.push_back(relevant);
  }
  std::ranges::reverse(parts.tiles);
  std::ranges::reverse(parts.ids);
}

/// Carries runs of t that began at `anchor` from level 1 up to level m, and takes from them what
/// tiles with that irrelevant part can do by breaking a run.
template <class Number>
void CostToGoTables<Number>::run_anchor(std::size_t m, Tensor t, std::uint32_t anchor,
                                        const Parts& parts, Numbers& broken,
                                        const run::Guard& guard) {
  thread_local Numbers carried;  // by place at level m: entries of this level
  thread_local Numbers inner;    // and of the one below
  carried.resize(std::max(carried.size(), broken.size()));
  inner.resize(std::max(inner.size(), broken.size()));
  for (std::size_t level = 1; level <= m; ++level) {
    guard.check();
    carry_outwards(level, m, t, anchor, parts, inner.data(), carried.data(), guard);
    std::swap(carried, inner);
  }
  // `inner` now has carry(c, t, anchor) at level m.
  if (anchor == lattice_.full_anchor(t)) {
    std::copy_n(inner.begin(), broken.size(), tables_[m].best[index(t)].begin());
  }
  const auto can_break = [&](TileIndex c) {
    Number* entry = &broken[place(m, c)];
    lattice_.for_each_cover(lattice_[c], breaking(m, t),
                            [&](TileIndex cover) { lower(entry, &broken[place(m, cover)]); });
  };
  if (!parts.all) {
    const std::uint32_t irrelevant = lattice_.anchor_id(t, anchor);
    for (const std::uint32_t part : parts.ids) {
      const std::size_t at = place(m, lattice_.with_id(part + irrelevant));
      lower(&broken[at], &inner[at]);
    }
    for (const TileIndex c : parts.tiles) can_break(c);
    return;
  }
  for (const TileIndex c : lattice_.with_anchor(t, anchor)) {
    if (!levels_.has(m, c)) continue;
    lower(&broken[place(m, c)], &inner[place(m, c)]);
    can_break(c);
  }
}

/// One level of it: from the entries of level - 1 to those of `level`, of tiles inside the anchor.
template <class Number>
void CostToGoTables<Number>::carry_outwards(std::size_t level, std::size_t m, Tensor t,
                                            std::uint32_t anchor, const Parts& needed,
                                            Number* inner, Number* carried,
                                            const run::Guard& guard) const {
  thread_local std::vector<std::uint32_t> parts;  // irrelevant to t, of the tiles
  thread_local std::vector<std::uint32_t> drops;  // to the tiles that they cover
  thread_local std::vector<TileIndex> some;       // needed tiles with one of these parts
  const std::int64_t outer = lattice_.outer(t, anchor);
  const std::uint32_t* const outermost = levels_.slot[m].data();
  const std::uint32_t* const slot = levels_.slot[level - 1].data();
  const char* const reached = levels_.reached.empty() ? nullptr : levels_.reached[level - 1].data();
  const Number* const broken = tables_[level - 1].broken.data();
  const std::size_t width = width_;
  lattice_.anchors_inside(t, anchor, parts);
  run::GuardedSteps step(guard);
  for (const std::uint32_t part : parts) {
    lattice_.anchor_drops(t, part, drops);
    if (!needed.all) find_tiles(lattice_, t, part, needed.ids, some);
    const std::vector<TileIndex>& tiles = needed.all ? lattice_.with_anchor(t, part) : some;
    step(tiles.size());
    for (const TileIndex c : tiles) {
      if (outermost[c] == LevelTiles::kNone) continue;  // nor anything that needs its entry
      const Tile& tile = lattice_[c];
      Number* const entry = carried + outermost[c] * width;
      std::fill_n(entry, width, kNone);
      if (slot[c] != LevelTiles::kNone && (reached == nullptr || reached[c] != 0) &&
          rule_.may_arrive(lattice_, level - 1, tile, t)) {
        const Number* rest = broken + slot[c] * width;
        if (level > 1) {
          Number* const before = inner + outermost[c] * width;
          lower(before, rest, width);
          rest = before;
        }
        lower(entry, storage_.fill<Number>(level - 1, tile, t, outer), rest);
      }
      for (const std::uint32_t drop : drops) {
        lower(entry, carried + outermost[lattice_.covered(tile, drop)] * width, width);
      }
    }
  }
}

template <class Number>
void CostToGoTables<Number>::carry(std::size_t level, const State& state, Number* target) const {
  boost::container::small_vector<TileIndex, 128> inner;  // one allocation less for every node
  lattice_.divisors(lattice_[state.tile], irrelevant_mask(state.stationary), inner);
  const std::int64_t outer = lattice_.outer(state.stationary, state.anchor);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read
  std::array<Number, kMaxWidth> rest;
  for (const TileIndex to : inner) {
    if (!levels_.admits(level - 1, to)) continue;
    if (!rule_.may_arrive(lattice_, level - 1, lattice_[to], state.stationary)) continue;
    at(level - 1, {to, state.stationary, state.anchor}, rest.data());
    lower(target, storage_.fill<Number>(level - 1, lattice_[to], state.stationary, outer),
          rest.data());
  }
}

template <class Number>
void CostToGoTables<Number>::at(std::size_t level, const State& state, Number* entry) const {
  std::copy_n(&tables_[level].broken[place(level, state.tile)], width_, entry);
  if (level > 0) carry(level, state, entry);
}

template <class Number>
void CostToGoTables<Number>::fill_relaxed(const run::Guard& guard) {
  const std::size_t level = tables_.size() - 1;
  relaxed_.resize(lattice_.size() * width_);
  for_each_tile(lattice_, guard, [&](TileIndex i) {
    Number* const entry = &relaxed_[i * width_];
    std::fill_n(entry, width_, kNone);
    if (!levels_.admits(level, i)) return;
    // A run that has lasted since the DRAM moves least, so it bounds every other.
    for (const Tensor t : kAllTensors) {
      lower(entry, storage_.fill<Number>(level, lattice_[i], t, 1), best(level, i, t));
    }
  });
  nest::Spread(lattice_).outwards(guard, [&](TileIndex i, TileIndex inside) {
    lower(&relaxed_[i * width_], &relaxed_[inside * width_]);
  });
}

template class CostToGoTables<std::int64_t>;
template class CostToGoTables<Int128>;

}  // namespace pimbb::dram_pim::mapper
