// Runs and numbers of orders for every set of loops, once a search.
#include "dram_pim/mapper/order_rule.hpp"

#include <algorithm>
#include <bit>

#include "pimbb/error.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

constexpr bool has(DimMask set, std::size_t j) { return (set >> j & 1U) != 0; }

}  // namespace

OrderRule::OrderRule(const Architecture& architecture, const LoopPrecedence& precedence)
    : precedence_(precedence) {
  const auto refuse = [&](std::size_t m, const char* found, const char* allowed) {
    throw InputError("precedence: level '" + architecture.levels[m].name + "': found " + found +
                     ", allowed are " + allowed);
  };
  if (precedence.inside.size() > architecture.levels.size()) {
    throw InputError("precedence: found " + std::to_string(precedence.inside.size()) +
                     " levels, allowed are no more than the architecture has, " +
                     std::to_string(architecture.levels.size()));
  }
  precedence_.inside.resize(architecture.levels.size());
  for (std::size_t m = 0; m < precedence_.inside.size(); ++m) {
    LevelPrecedence& inside = precedence_.inside[m];
    if (m == 0 && inside != LevelPrecedence{}) {
      refuse(m, "an order of its loops", "orders of levels above 0");
    }
    make_transitive(inside);
    for (std::size_t j = 0; j < kDims; ++j) {
      if (has(inside[j], j)) refuse(m, "loops that stand inside themselves", "partial orders");
    }
  }
  if (!precedence_.any()) return;
  levels_.resize(precedence_.inside.size());
  for (std::size_t m = 0; m < levels_.size(); ++m) {
    levels_[m].inside = precedence_.inside[m];
    fill(levels_[m]);
  }
}

/// Numbers of orders from the inside out: of a set, by its outermost loop.
void OrderRule::fill(Level& level) {
  for (std::size_t loops = 1; loops <= kEveryDim; ++loops) {
    const auto set = static_cast<DimMask>(loops);
    for (const LoopClass of : kAllClasses) {
      const DimMask idle = innermost_dims(of);
      for (std::size_t j = 0; j < kDims; ++j) {
        const bool free = (level.inside[j] & set & ~idle) == 0;
        if (has(set & idle, j) && free) level.run[set][place(of)] |= bit(j);
      }
      const std::uint64_t single = (set & idle) != 0 ? 1 : 0;
      level.orders[set][place(of)] =
          std::has_single_bit(loops) ? single : count_orders(level, set, of);
    }
  }
}

std::uint64_t OrderRule::count_orders(const Level& level, DimMask set, LoopClass of) {
  std::uint64_t count = 0;
  for (std::size_t j = 0; j < kDims; ++j) {
    if (!has(set, j)) continue;
    const auto rest = static_cast<DimMask>(set & ~bit(j));
    const bool outermost = std::ranges::none_of(
        kAllDims, [&](Dim k) { return has(rest, index(k)) && has(level.inside[index(k)], j); });
    if (outermost) count += level.orders[rest][place(of)];
  }
  return count;
}

LoopOrder OrderRule::order(std::size_t level, DimMask loops, LoopClass of) const {
  const DimMask first = run(level, loops, of);
  LoopOrder order;
  DimMask inside = 0;
  while (inside != loops) {
    // The innermost that may come next: of the run if it is not yet complete, the last dimension.
    const auto left = static_cast<DimMask>(loops & ~inside);
    const auto preferred = static_cast<DimMask>((left & first) != 0 ? left & first : left);
    for (std::size_t k = kDims; k-- > 0;) {
      const Dim j = kAllDims[k];
      if (!has(preferred, k) || !may_follow(level, loops, inside, j)) continue;
      order.loop[order.count++] = j;
      inside = static_cast<DimMask>(inside | bit(k));
      break;
    }
  }
  return order;
}

void OrderRule::sort(Mapping& mapping) const {
  if (!any()) return;
  for (std::size_t m = 1; m < mapping.levels.size(); ++m) {
    std::vector<Loop> left = mapping.levels[m].loops;
    DimMask loops = 0;
    for (const Loop& loop : left) loops = static_cast<DimMask>(loops | bit(index(loop.dim)));
    DimMask inside = 0;
    std::vector<Loop> sorted;  // innermost first
    while (!left.empty()) {
      const auto next = std::find_if(left.rbegin(), left.rend(), [&](const Loop& loop) {
        return may_follow(m, loops, inside, loop.dim);
      });
      inside = static_cast<DimMask>(inside | bit(index(next->dim)));
      sorted.push_back(*next);
      left.erase(std::next(next).base());
    }
    mapping.levels[m].loops.assign(sorted.rbegin(), sorted.rend());
  }
}

}  // namespace pimbb::dram_pim::mapper
