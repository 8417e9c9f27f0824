// Depth first over the loop orders.
#include "dram_pim/trace/loop_orders.hpp"

#include <algorithm>
#include <bit>

namespace pimbb::dram_pim::mapper {
LoopOrders::LoopOrders(const Architecture& architecture, const Workload& workload,
                       const RowTable& rows, SeamTables& seams, OpenNest nest)
    : a_(architecture), w_(workload), seams_(seams), nest_(std::move(nest)) {
  for (std::size_t k = 0; k < nest_.classes.size(); ++k) {
    DimMask mask = 0;
    for (const Dim j : kAllDims) {
      if (nest_.tiles[k][index(j)] != nest_.tiles[k + 1][index(j)]) mask |= bit(j);
    }
    loops_.push_back(mask);
  }
  for (const Tensor t : kAllTensors) {
    const LooseLevels levels = loose_levels(t);
    const auto add = [&](const Architecture& machine, Layout layout, const Block& block) {
      candidates_[index(t)].push_back(candidate(machine, t, layout, block, levels));
    };
    if (t == Tensor::input) {
      const auto& blocks = rows.admissible_blocks(nest_.row_tile);
      candidates_[index(t)].reserve(rows.sequential_inputs().size() + blocks.size());
      for (const Architecture& ordered : rows.sequential_inputs()) {
        add(ordered, Layout::sequential, {});
      }
      for (const Block& block : blocks) add(a_, Layout::row_aligned, block);
    } else {
      if (rows.can_be_sequential(t)) add(a_, Layout::sequential, {});
      if (rows.can_align(nest_.row_tile, t)) add(a_, Layout::row_aligned, {});
    }
  }
}

LoopOrders::LooseLevels LoopOrders::loose_levels(Tensor t) const {
  const OpenNest::Feed& feed = nest_.feed[index(t)];
  LooseLevels levels;
  const auto add = [&](std::span<const rows::MoveLoop> loops) {
    rows::LooseLevel& level = levels.emplace_back();
    for (const bool relevant_ones : {true, false}) {
      for (const rows::MoveLoop& loop : loops) {
        if (relevant(t, loop.dim) == relevant_ones) level.loops.push_back(loop);
      }
      if (relevant_ones) level.relevant = level.loops.size();
    }
  };
  if (!feed.fixed.empty()) {
    std::vector<rows::MoveLoop> loops = feed.fixed;
    std::ranges::sort(loops, {}, &rows::MoveLoop::dim);
    add(loops);
  }
  for (std::size_t k = feed.level - nest_.first; k < nest_.classes.size(); ++k) {
    boost::container::static_vector<rows::MoveLoop, kDims> loops;
    for (const Dim j : kAllDims) {
      const std::int64_t inner = nest_.tiles[k][index(j)];
      const std::int64_t trips = nest_.tiles[k + 1][index(j)] / inner;
      if (trips > 1) loops.push_back({j, trips, inner});
    }
    add({loops.data(), loops.size()});
    levels.back().innermost = 0;
    for (std::size_t i = 0; i < levels.back().loops.size(); ++i) {
      if (irrelevant_tensor(levels.back().loops[i].dim) == nest_.classes[k]) {
        levels.back().innermost |= 1U << i;
      }
    }
  }
  return levels;
}

LoopOrders::LayoutCandidate LoopOrders::candidate(const Architecture& machine, Tensor t,
                                                  Layout layout, const Block& block,
                                                  const LooseLevels& levels) {
  const OpenNest::Feed& feed = nest_.feed[index(t)];
  const Factors& row_tile = nest_.tiles[a_.row_buffer() - (nest_.first - 1)];
  const bool free_nhwc =  // tables of a fixed order need not say which
      a_.has_free_input_order() && machine.input_order == InputOrder::nhwc;
  boost::container::small_vector<std::int64_t, 64> key{
      static_cast<std::int64_t>(t), static_cast<std::int64_t>(layout) + (free_nhwc ? 2 : 0),
      block.h, block.w};
  for (const Dim j : kAllDims) {
    if (!relevant(t, j)) continue;
    key.push_back(feed.tile[index(j)]);
    key.push_back(row_tile[index(j)]);
  }
  for (const rows::LooseLevel& level : levels) {
    key.push_back(-1);
    for (const rows::MoveLoop& loop : level.moving()) {
      key.push_back(static_cast<std::int64_t>(loop.dim));
      key.push_back(loop.trips);
    }
  }
  auto seams = seams_.get({key.data(), key.size()}, [&] {
    std::vector<std::vector<rows::MoveLoop>> moving;
    for (const rows::LooseLevel& level : levels) {
      moving.emplace_back(level.moving().begin(), level.moving().end());
    }
    return rows::SeamTable(rows::RowLines(machine, w_, t, layout, feed.tile, row_tile, block),
                           moving);
  });
  return {&machine, layout, block,
          rows::OrderCounts(std::move(seams), {levels.data(), levels.size()}, feed.again),
          std::nullopt};
}

std::size_t LoopOrders::place(Tensor t, DimMask loops, Dim j) const {
  const DimMask idle = irrelevant_mask(t);
  const auto before = [&](DimMask set) {
    return static_cast<std::size_t>(std::popcount(static_cast<unsigned>(set)));
  };
  const auto lower = static_cast<DimMask>(loops & (bit(j) - 1U));
  if (relevant(t, j)) return before(lower & static_cast<DimMask>(~idle));
  return before(loops & static_cast<DimMask>(~idle)) + before(lower & idle);
}

LoopOrders::Partial LoopOrders::begin() const {
  Partial partial;
  for (std::size_t t = 0; t < kTensors; ++t) {
    for (const LayoutCandidate& candidate : candidates_[t]) {
      rows::OrderCounts::Path path = candidate.counts.begin();
      DimMask fixed = 0;
      for (const rows::MoveLoop& loop : nest_.feed[t].fixed) fixed |= bit(loop.dim);
      for (const rows::MoveLoop& loop : nest_.feed[t].fixed) {
        path = candidate.counts.extended(path, place(kAllTensors[t], fixed, loop.dim));
      }
      partial.path[t].push_back(path);
    }
  }
  return partial;
}

LoopOrders::Rows LoopOrders::least(const Partial& partial) const {
  Rows rows;
  for (std::size_t t = 0; t < kTensors; ++t) {
    rows[t] = candidates_[t][0].counts.least(partial.path[t][0]);
    for (std::size_t c = 1; c < candidates_[t].size(); ++c) {
      rows[t] = std::min(rows[t], candidates_[t][c].counts.least(partial.path[t][c]));
    }
  }
  return rows;
}

void LoopOrders::for_each(const std::function<bool(const Rows&)>& hopeful,
                          const std::function<void(const OrderedNest&)>& visit) {
  hopeful_ = &hopeful;
  visit_ = &visit;
  visit_layouts_ = nullptr;
  current_ = {};
  current_.orders.resize(nest_.classes.size());
  const Partial none = begin();
  if (hopeful(least(none))) extend(0, 0, none);
}

void LoopOrders::for_each_with_layouts(const std::function<bool(const Rows&)>& hopeful,
                                       const EveryLayout& visit) {
  hopeful_ = &hopeful;
  visit_layouts_ = &visit;
  current_ = {};
  current_.orders.resize(nest_.classes.size());
  const Partial none = begin();
  if (hopeful(least(none))) extend(0, 0, none);
}

/// Puts every loop that may come next around those of `inside`, at `level` (from `first` on).
void LoopOrders::extend(std::size_t level, DimMask inside, const Partial& partial) {
  if (inside == loops_[level]) {
    if (level + 1 == loops_.size()) return finish(partial);
    return extend(level + 1, 0, partial);
  }
  const auto first = static_cast<DimMask>(loops_[level] & nest_.inside[level] & ~inside);
  for (const Dim j : kAllDims) {
    if ((loops_[level] & bit(j)) == 0 || (inside & bit(j)) != 0) continue;
    if (inside == 0 && irrelevant_tensor(j) != nest_.classes[level]) continue;
    if (first != 0 && (first & bit(j)) == 0) continue;
    if (!nest_.precedence.empty() &&
        (nest_.precedence[level][index(j)] & loops_[level] & ~inside) != 0) {
      continue;
    }
    const Partial next = extended(partial, level, j);
    if (!(*hopeful_)(least(next))) continue;
    LoopOrder& order = current_.orders[level];
    order.loop[order.count++] = j;
    extend(level, static_cast<DimMask>(inside | bit(j)), next);
    --order.count;
  }
}

LoopOrders::Partial LoopOrders::extended(const Partial& partial, std::size_t level,
                                         Dim next) const {
  Partial result = partial;
  for (std::size_t t = 0; t < kTensors; ++t) {
    if (level + nest_.first < nest_.feed[t].level) continue;
    const std::size_t at = place(kAllTensors[t], loops_[level], next);
    for (std::size_t c = 0; c < candidates_[t].size(); ++c) {
      result.path[t][c] = candidates_[t][c].counts.extended(partial.path[t][c], at);
    }
  }
  return result;
}

std::vector<rows::MoveLoop> LoopOrders::moving_loops(Tensor t) const {
  const OpenNest::Feed& feed = nest_.feed[index(t)];
  std::vector<rows::MoveLoop> loops;
  for (std::size_t k = nest_.classes.size(); k-- > feed.level - nest_.first;) {
    const LoopOrder& order = current_.orders[k];
    for (std::size_t i = order.count; i-- > 0;) {
      const Dim j = order.loop[i];
      const std::int64_t inner = nest_.tiles[k][index(j)];
      loops.push_back({j, nest_.tiles[k + 1][index(j)] / inner, inner});
    }
  }
  loops.insert(loops.end(), feed.fixed.rbegin(), feed.fixed.rend());
  while (!feed.again && !loops.empty() && !relevant(t, loops.back().dim)) loops.pop_back();
  return loops;
}

std::int64_t LoopOrders::in_shared_bank(Tensor t, LayoutCandidate& candidate,
                                        const std::vector<rows::MoveLoop>& loops,
                                        const rows::Kept& kept) const {
  if (!candidate.shared) {
    candidate.shared.emplace(*candidate.architecture, w_, t, candidate.layout,
                             nest_.feed[index(t)].tile,
                             nest_.tiles[a_.row_buffer() - (nest_.first - 1)], candidate.block);
  }
  return static_cast<std::int64_t>(candidate.shared->activations(loops, kept));
}

template <class Stands, class Visit>
void LoopOrders::for_each_count(Tensor t, const Partial& partial, const Stands& stands,
                                const Visit& visit) {
  const std::size_t k = index(t);
  const std::size_t banks = a_.banks();
  const bool shared = !rows::has_own_bank(t, banks);
  std::vector<rows::MoveLoop> loops;
  rows::Kept kept;
  if (shared) {
    PerTensor<std::size_t> moving{};
    for (const Tensor u : kAllTensors) {
      std::vector<rows::MoveLoop> of = moving_loops(u);
      moving[index(u)] = of.size();
      if (u == t) loops = std::move(of);
    }
    kept = rows::kept_seams(t, moving, banks);
  }
  for (std::size_t c = 0; c < candidates_[k].size(); ++c) {
    LayoutCandidate& candidate = candidates_[k][c];
    std::int64_t rows = candidate.counts.least(partial.path[k][c]);
    if (!stands(rows)) continue;
    if (shared) rows = in_shared_bank(t, candidate, loops, kept);
    visit(candidate, rows);
  }
}

void LoopOrders::finish(const Partial& partial) {
  PerTensor<std::vector<LayoutRows>> every;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    if (visit_layouts_ != nullptr) {
      for_each_count(
          t, partial, [](std::int64_t) { return true; },
          [&](const LayoutCandidate& candidate, std::int64_t rows) {
            every[k].push_back(
                {candidate.layout, candidate.block, candidate.architecture->input_order, rows});
          });
      continue;
    }
    bool first = true;
    const auto stands = [&](std::int64_t rows) { return first || rows < current_.activations[k]; };
    for_each_count(t, partial, stands, [&](const LayoutCandidate& candidate, std::int64_t rows) {
      if (!stands(rows)) return;
      first = false;
      current_.activations[k] = rows;
      current_.layout[k] = candidate.layout;
      if (t != Tensor::input) return;
      current_.block = candidate.block;
      current_.input_order = candidate.architecture->input_order;
    });
  }
  if (visit_layouts_ != nullptr) return (*visit_layouts_)(current_.orders, every);
  (*visit_)(current_);
}

}  // namespace pimbb::dram_pim::mapper
