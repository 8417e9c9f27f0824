// Depth first over the loop orders, and counting what each tensor sees of them.
#include "mapper/loop_orders.hpp"

#include <algorithm>

namespace pimbb::mapper {
namespace {

constexpr DimMask bit(Dim j) { return static_cast<DimMask>(1U << index(j)); }
constexpr std::size_t kSequential = 0;  // places by layout
constexpr std::size_t kAligned = 1;

}  // namespace

LoopOrders::LoopOrders(const Architecture& architecture, const Workload& workload,
                       const RowTable& rows, OpenNest nest)
    : a_(architecture),
      w_(workload),
      nest_(std::move(nest)),
      blocks_(rows.admissible_blocks(nest_.row_tile)) {
  for (std::size_t k = 0; k < level_count(); ++k) {
    DimMask mask = 0;
    for (const Dim j : kAllDims) {
      if (nest_.tiles[k][index(j)] != nest_.tiles[k + 1][index(j)]) mask |= bit(j);
    }
    loops_.push_back(mask);
  }
  for (const Tensor t : kAllTensors) {
    can_align_[index(t)] =
        t == Tensor::input ? !blocks_.empty() : rows.can_align(nest_.row_tile, t);
    build_floors(t);
  }
}

void LoopOrders::build_floors(Tensor t) {
  const OpenNest::Feed& feed = nest_.feed[index(t)];
  const Factors& row_tile = nest_.tiles[a_.row_buffer() - (nest_.first - 1)];
  for (const Layout layout : {Layout::sequential, Layout::row_aligned}) {
    if (layout == Layout::row_aligned && !can_align_[index(t)]) continue;
    const Moved moved{a_, w_, t, layout, row_tile};
    std::vector<OrderFloor>& floors = floors_[index(t)][static_cast<std::size_t>(layout)];
    floors.reserve(level_count());  // floors point at each other
    for (std::size_t k = level_count(); k-- > feed.level - nest_.first;) {
      floors.emplace_back(moved, nest_.tiles[k], nest_.tiles[k + 1],
                          irrelevant_mask(nest_.classes[k]),
                          floors.empty() ? nullptr : &floors.back());
    }
  }
}

LoopOrders::Rows LoopOrders::bounds(const Partial& partial, std::size_t level,
                                    DimMask inside) const {
  Rows result;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    const std::size_t begins = nest_.feed[k].level - nest_.first;
    const auto bound = [&](std::size_t layout) {
      const std::int64_t to_come = level < begins
                                       ? floor(t, layout, begins).least(partial.moves[k])
                                       : floor(t, layout, level).to_come(inside, partial.moves[k]);
      return std::max(partial.floor[k][layout], to_come);
    };
    result[k] = bound(kSequential);
    if (can_align_[k]) result[k] = std::min(result[k], bound(kAligned));
  }
  return result;
}

LoopOrders::Rows LoopOrders::least() const {
  Partial none;
  for (std::size_t t = 0; t < kTensors; ++t) none.moves[t] = moves_before(t);
  return bounds(none, 0, 0);
}

bool LoopOrders::moves_before(std::size_t t) const {
  const auto& fixed = nest_.feed[t].fixed;
  return std::any_of(fixed.begin(), fixed.end(),
                     [&](const auto& loop) { return relevant(kAllTensors[t], loop.dim); });
}

void LoopOrders::for_each(const std::function<bool(const Rows&)>& hopeful,
                          const std::function<void(const OrderedNest&)>& visit) {
  hopeful_ = &hopeful;
  visit_ = &visit;
  current_ = {};
  current_.orders.resize(level_count());
  Partial none;
  for (std::size_t t = 0; t < kTensors; ++t) none.moves[t] = moves_before(t);
  if (hopeful(bounds(none, 0, 0))) extend(0, 0, none);
}

/// Puts every loop that may come next around those of `inside`, at `level` (from `first` on).
void LoopOrders::extend(std::size_t level, DimMask inside, const Partial& partial) {
  if (inside == loops_[level]) {
    if (level + 1 == level_count()) return finish(partial);
    Partial next = partial;
    for (const Tensor t : kAllTensors) {
      const bool sees = level + nest_.first >= nest_.feed[index(t)].level;
      if (sees && (inside & ~irrelevant_mask(t)) != 0) next.moves[index(t)] = true;
    }
    return extend(level + 1, 0, next);
  }
  const auto first = static_cast<DimMask>(loops_[level] & nest_.inside[level] & ~inside);
  for (const Dim j : kAllDims) {
    if ((loops_[level] & bit(j)) == 0 || (inside & bit(j)) != 0) continue;
    if (inside == 0 && relevant(nest_.classes[level], j)) continue;
    if (first != 0 && (first & bit(j)) == 0) continue;
    const Partial next = extended(partial, level, inside, j);
    const auto with = static_cast<DimMask>(inside | bit(j));
    if (!(*hopeful_)(bounds(next, level, with))) continue;
    LoopOrder& order = current_.orders[level];
    order.loop[order.count++] = j;
    extend(level, with, next);
    --order.count;
  }
}

LoopOrders::Partial LoopOrders::extended(const Partial& partial, std::size_t level, DimMask inside,
                                         Dim next) const {
  Partial result = partial;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    if (level + nest_.first < nest_.feed[k].level) continue;
    for (const std::size_t layout : {kSequential, kAligned}) {
      if (layout == kAligned && !can_align_[k]) continue;
      const std::int64_t step = floor(t, layout, level).step(inside, partial.moves[k], next);
      result.floor[k][layout] = std::max(result.floor[k][layout], step);
    }
  }
  return result;
}

void LoopOrders::finish(const Partial& partial) {
  Rows rows = bounds(partial, level_count() - 1, loops_.back());
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    const Count best = count(t, partial.floor[k][kAligned]);
    rows[k] = best.activations;
    current_.activations[k] = best.activations;
    current_.layout[k] = best.layout;
    if (t == Tensor::input) current_.block = best.block;
    if (!(*hopeful_)(rows)) return;
  }
  (*visit_)(current_);
}

/// The loops that move t in the current order, without what makes no difference to it.
void LoopOrders::see(Tensor t) {
  const OpenNest::Feed& feed = nest_.feed[index(t)];
  stream_.clear();
  seen_.clear();
  repeats_ = 1;
  const auto add = [&](const dram::MoveLoop& loop, std::size_t level) {
    std::size_t at = stream_.size();
    const auto code = static_cast<char>(level * kDims + index(loop.dim) + 1);
    if (!relevant(t, loop.dim)) {  // neighbours commute: in ascending order
      while (at > 0 && !relevant(t, stream_[at - 1].dim) && seen_[at - 1] > code) --at;
    }
    stream_.insert(stream_.begin() + static_cast<std::ptrdiff_t>(at), loop);
    seen_.insert(seen_.begin() + static_cast<std::ptrdiff_t>(at), code);
  };
  for (std::size_t level = level_count(); level-- > feed.level - nest_.first;) {
    const LoopOrder& order = current_.orders[level];
    for (std::size_t i = order.count; i-- > 0;) {
      const std::size_t j = index(order.loop[i]);
      const std::int64_t inner = nest_.tiles[level][j];
      add({order.loop[i], nest_.tiles[level + 1][j] / inner, inner}, level + 1);
    }
  }
  for (const dram::MoveLoop& loop : feed.fixed) add(loop, 0);
  while (!stream_.empty() && !relevant(t, stream_.back().dim)) {
    if (feed.again) repeats_ *= stream_.back().trips;
    stream_.pop_back();
    if (!feed.again) seen_.pop_back();
  }
}

LoopOrders::Count LoopOrders::count(Tensor t, std::int64_t aligned_floor) {
  see(t);
  ++statistics_.lookups;
  const auto known = known_[index(t)].find(seen_);
  if (known != known_[index(t)].end()) {
    ++statistics_.hits;
    return known->second;
  }
  return known_[index(t)][seen_] = count_anew(t, aligned_floor);
}

LoopOrders::Count LoopOrders::count_anew(Tensor t, std::int64_t aligned_floor) {
  const std::size_t k = index(t);
  const Factors& tile = nest_.feed[k].tile;
  const Factors& row_tile = nest_.tiles[a_.row_buffer() - (nest_.first - 1)];
  std::vector<dram::ActivationCounter>& counters = counters_[k];
  const auto counted = [&](std::size_t which, Layout layout, const Block& block) {
    if (counters.size() == which) {
      counters.emplace_back(a_, w_, t, layout, tile, row_tile, block);
    }
    const Int128 n = counters[which].activations(stream_, repeats_);
    return Count{static_cast<std::int64_t>(n), layout, block};
  };
  Count best = counted(0, Layout::sequential, {});
  if (!can_align_[k]) return best;
  const std::size_t choices = t == Tensor::input ? blocks_.size() : 1;
  for (std::size_t i = 0; i < choices && best.activations > aligned_floor; ++i) {
    const Count aligned =
        counted(1 + i, Layout::row_aligned, t == Tensor::input ? blocks_[i] : Block{});
    if (aligned.activations < best.activations) best = aligned;
  }
  return best;
}

}  // namespace pimbb::mapper
