// Depth first over the orders.
#include "orders.hpp"

#include <algorithm>

namespace pimbb_check {

OrderSearch::OrderSearch(const Problem& p, const Nest& nest, const Hopeful& hopeful,
                         const Visit& visit)
    : p_(p), nest_(nest), hopeful_(hopeful), visit_(visit), order_(nest.tile.size()) {
  for (std::size_t t = 0; t < 3; ++t) {
    for (const LayoutKind& kind : sequential_layouts(p, t)) prepare(t, kind);
    prepare(t, {&nest.tile[p.row_buffer()]->c});
  }
}

void OrderSearch::prepare(std::size_t t, const LayoutKind& kind) {
  const Factors& row_tile = nest_.tile[p_.row_buffer()]->c;
  const Factors& tile = nest_.feed[t].inside.tile;
  Layout layout;
  if (kind.row_tile == nullptr) {
    layout.counters.emplace_back(p_, t, tile, kind.channels_last);
  } else if (!p_.constraints.may_be(t, true)) {
    return;
  } else if (t == kInput) {
    for (const Block& block : blocks(p_, row_tile)) {
      layout.counters.emplace_back(p_, t, tile, row_tile, block);
    }
  } else if (p_.units(t, row_tile) <= p_.row_units) {
    layout.counters.emplace_back(p_, t, tile, row_tile, Block{});
  }
  if (layout.counters.empty()) return;
  layout.floors.reserve(nest_.tile.size());  // they point at each other
  for (std::size_t m = p_.dram(); m >= nest_.feed[t].level; --m) {
    const Factors& inner = nest_.tile[m - 1]->c;
    const bool whole = m == nest_.feed[t].level && inner == tile;
    layout.floors.emplace_back(p_, t, kind, inner, nest_.tile[m]->c, whole, nest_.s[m],
                               layout.floors.empty() ? nullptr : &layout.floors.back());
  }
  layouts_[t].push_back(std::move(layout));
}

void OrderSearch::run() {
  Partial none;
  for (std::size_t t = 0; t < 3; ++t) {
    for (const MoveLoop& loop : nest_.feed[t].inside.loops) {
      none.moves[t] = none.moves[t] || relevant(t, loop.dim);
    }
  }
  if (hopeful_(bounds(none, nest_.first, 0))) extend(none, nest_.first, 0);
}

OrderSearch::Rows OrderSearch::bounds(const Partial& partial, std::size_t level,
                                      DimSet inside) const {
  Rows rows;
  for (std::size_t t = 0; t < 3; ++t) {
    const bool waits = level < nest_.feed[t].level;
    const std::size_t place = p_.dram() - std::max(level, nest_.feed[t].level);
    rows[t] = std::numeric_limits<std::int64_t>::max();
    for (std::size_t k = 0; k < layouts_[t].size(); ++k) {
      const OrderFloor& floor = layouts_[t][k].floors[place];
      const std::int64_t to_come = floor.least(partial.moves[t], waits ? 0 : inside);
      rows[t] = std::min(rows[t], std::max(partial.floor[t][k], to_come));
    }
  }
  return rows;
}

OrderSearch::Partial OrderSearch::with(const Partial& partial, std::size_t level, DimSet inside,
                                       std::size_t j) const {
  Partial more = partial;
  for (std::size_t t = 0; t < 3; ++t) {
    if (level < nest_.feed[t].level) continue;
    for (std::size_t k = 0; k < layouts_[t].size(); ++k) {
      const OrderFloor& floor = layouts_[t][k].floors[p_.dram() - level];
      more.floor[t][k] = std::max(more.floor[t][k], floor.step(partial.moves[t], inside, j));
    }
  }
  return more;
}

/// Puts every loop that may come next around those of `inside`.
void OrderSearch::extend(const Partial& partial, std::size_t level, DimSet inside) {
  const DimSet loops = loops_between(nest_.tile[level - 1]->c, nest_.tile[level]->c);
  if (inside == loops) {
    if (level == p_.dram()) return finish(bounds(partial, level, inside));
    Partial next = partial;
    for (std::size_t t = 0; t < 3; ++t) {
      const bool sees = (loops & ~irrelevant_dims(t)) != 0 && level >= nest_.feed[t].level;
      next.moves[t] = next.moves[t] || sees;
    }
    return extend(next, level + 1, 0);
  }
  for (std::size_t j = 0; j < kDims; ++j) {
    if (!contains(loops & ~inside, j)) continue;
    if (inside == 0 && kIrrelevantTo[j] != nest_.s[level]) continue;
    if (!p_.constraints.may_follow(level, loops, inside, j)) continue;
    const Partial next = with(partial, level, inside, j);
    if (!hopeful_(bounds(next, level, inside | 1U << j))) continue;
    order_[level].push_back(j);
    extend(next, level, inside | 1U << j);
    order_[level].pop_back();
  }
}

void OrderSearch::finish(Rows rows) {
  PerTensor<std::size_t> reaches{};
  for (std::size_t t = 0; t < 3 && p_.banks < 3; ++t) reaches[t] = reach(t, stream(t));
  for (std::size_t t = 0; t < 3; ++t) {
    rows[t] = fewest(t, mates(p_, t, reaches));
    if (!hopeful_(rows)) return;
  }
  visit_(order_, rows);
}

Stream OrderSearch::stream(std::size_t t) const {
  const Nest::Feed& feed = nest_.feed[t];
  Stream stream = feed.inside;
  stream.loops.clear();
  for (std::size_t m = p_.dram(); m >= feed.level; --m) {
    for (auto j = order_[m].rbegin(); j != order_[m].rend(); ++j) {
      const std::int64_t inner = nest_.tile[m - 1]->c[*j];
      stream.loops.push_back({*j, nest_.tile[m]->c[*j] / inner, inner});
    }
  }
  stream.loops.insert(stream.loops.end(), feed.inside.loops.begin(), feed.inside.loops.end());
  return stream;
}

/// Over layouts and blocks. Irrelevant loops side by side commute, and a tile that moves only when
/// its index changes does not see those right around it: orders that differ in no more look alike.
std::int64_t OrderSearch::fewest(std::size_t t, const Mates& mates) {
  const Stream moves = stream(t);
  std::vector<std::size_t> seen;
  auto run = seen.size();
  for (const MoveLoop& loop : moves.loops) {
    seen.push_back(static_cast<std::size_t>(loop.advance) * kDims + loop.dim);
    if (relevant(t, loop.dim) || !mates.none) {  // in company each of them counts by its place
      run = seen.size();
    } else {
      std::sort(seen.begin() + static_cast<std::ptrdiff_t>(run), seen.end());
    }
  }
  if (!moves.again) seen.resize(run);
  if (!mates.none) {
    seen.resize(reach(t, moves));
    seen.push_back(mates.longer ? 1 : 0);
    seen.push_back(mates.before);
    seen.push_back(mates.after ? 1 + *mates.after : 0);
  }
  const auto [known, anew] = known_[t].try_emplace(std::move(seen), INT64_MAX);
  if (!anew) return known->second;
  for (const Layout& layout : layouts_[t]) {
    for (const RowCounter& counter : layout.counters) {
      const Count rows = counter.rows(moves, mates);
      if (rows < known->second) known->second = static_cast<std::int64_t>(rows);
    }
  }
  return known->second;
}

}  // namespace pimbb_check
