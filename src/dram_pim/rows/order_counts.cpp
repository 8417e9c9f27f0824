// Shortest paths over sets of loops, from the outermost level inwards.
#include "dram_pim/rows/order_counts.hpp"

#include <algorithm>
#include <limits>

namespace pimbb::dram_pim::rows {

OrderCounts::OrderCounts(std::shared_ptr<const SeamTable> seams, std::span<const LooseLevel> levels,
                         bool again)
    : seams_(std::move(seams)), again_(again) {
  std::size_t costs = 0;
  for (const LooseLevel& loose : levels) {
    Level& level = levels_.emplace_back();
    level.all = (1U << loose.loops.size()) - 1;
    level.relevant = (1U << loose.relevant) - 1;
    level.innermost = loose.innermost;
    for (const MoveLoop& loop : loose.loops) level.trips.push_back(loop.trips);
    level.begin = costs;
    costs += 2 * level.sets();
  }
  to_come_.resize(costs);
  for (std::size_t m = levels_.size(); m-- > 0;) {
    levels_[m].outer_idle = all_idle_;
    all_idle_ *= idle_trips(levels_[m], levels_[m].all);
    find_paths(m);
  }
}

std::int64_t OrderCounts::idle_trips(const Level& level, std::uint32_t set) {
  std::int64_t trips = 1;
  for (std::uint32_t idle = set & ~level.relevant; idle != 0; idle &= idle - 1) {
    trips *= level.trips[static_cast<std::size_t>(__builtin_ctz(idle))];
  }
  return trips;
}

std::int64_t OrderCounts::kept(std::size_t m, std::uint32_t inside, std::size_t k) const {
  const Level& level = levels_[m];
  const std::uint32_t bit = 1U << k;
  const std::int64_t outside = level.outer_idle * idle_trips(level, level.all & ~inside & ~bit);
  const std::uint32_t sets = inside & level.relevant;
  if ((level.relevant & bit) != 0) return outside * seams_->kept(m, sets, k);
  return outside * (level.trips[k] - 1) * seams_->stays(m, sets);
}

std::int64_t OrderCounts::moves(const Level& level, std::uint32_t run) const {
  const std::int64_t idle =
      again_ ? all_idle_ : level.outer_idle * idle_trips(level, level.all & ~run);
  return seams_->all_rows() * idle;
}

void OrderCounts::find_paths(std::size_t m) {
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;
  const Level& level = levels_[m];
  std::int64_t* const at_rest = &to_come_[level.begin];
  std::int64_t* const moving = at_rest + level.sets();
  std::fill_n(at_rest, level.sets(), kNever);
  std::fill_n(moving, level.sets(), -kNever);
  if (m + 1 < levels_.size()) {
    at_rest[level.all] = to_come(levels_[m + 1], false)[0];
    moving[level.all] = to_come(levels_[m + 1], true)[0];
  } else {
    at_rest[level.all] = seams_->all_rows();  // moved just once
    moving[level.all] = 0;
  }
  for (std::uint32_t inside = level.all; inside-- > 0;) {
    for (std::uint32_t rest = level.all & ~inside; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<std::size_t>(__builtin_ctz(rest));
      const std::uint32_t bit = 1U << k;
      if (inside == 0 && (level.innermost & bit) == 0) continue;
      const std::int64_t here = kept(m, inside, k) + moving[inside | bit];
      moving[inside] = std::max(moving[inside], here);
      if ((inside & level.relevant) != 0) continue;  // it has moved
      at_rest[inside] =
          std::min(at_rest[inside], (level.relevant & bit) == 0 ? at_rest[inside | bit]
                                                                : moves(level, inside) - here);
    }
  }
}

OrderCounts::Path OrderCounts::begin() const {
  Path path;
  path.moves = again_;
  if (again_) path.counted = seams_->all_rows() * all_idle_;
  while (path.level + 1 < levels_.size() && levels_[path.level].all == 0) ++path.level;
  return path;
}

OrderCounts::Path OrderCounts::extended(const Path& path, std::size_t next) const {
  const Level& level = levels_[path.level];
  Path result = path;
  result.moves = path.moves || (level.relevant >> next & 1U) != 0;
  if (result.moves) {
    if (!path.moves) result.counted = moves(level, path.inside);
    result.counted -= kept(path.level, path.inside, next);
  }
  result.inside |= 1U << next;
  while (result.level + 1 < levels_.size() && result.inside == levels_[result.level].all) {
    ++result.level;
    result.inside = 0;
  }
  return result;
}

std::int64_t OrderCounts::least(const Path& path) const {
  if (levels_.empty()) return seams_->all_rows();
  const std::int64_t rest = to_come(levels_[path.level], path.moves)[path.inside];
  return path.moves ? path.counted - rest : rest;
}

}  // namespace pimbb::dram_pim::rows
