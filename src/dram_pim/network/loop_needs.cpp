// Relations as bit masks.
#include "dram_pim/network/loop_needs.hpp"

#include <algorithm>

namespace pimbb::dram_pim::network {
namespace {

constexpr std::uint8_t bit(std::size_t j) { return static_cast<std::uint8_t>(1U << j); }

bool has(std::uint8_t mask, std::size_t j) { return (mask >> j & 1U) != 0; }

void add_pair(LevelPrecedence& inside, Dim inner, Dim outer) {
  inside[index(outer)] = static_cast<std::uint8_t>(inside[index(outer)] | bit(index(inner)));
}

/// The innermost level whose loops the DRAM sees: that of the loops around the tile of the next
/// level inside the row buffer that stores a tensor, for the tensor whose tile is the innermost.
std::size_t first_traced(const Architecture& a, const Mapping& mapping) {
  std::size_t first = a.row_buffer();
  for (const Tensor t : kAllTensors) {
    std::size_t level = a.row_buffer();
    while (level > 0 && !mapping.levels[level - 1].stores[index(t)]) --level;
    first = std::min(first, std::max<std::size_t>(level, 1));
  }
  return first;
}

}  // namespace

LoopPrecedence needs(const Architecture& architecture, const Mapping& mapping, RowModel model) {
  LoopPrecedence needs;
  needs.inside.resize(mapping.levels.size());
  const std::size_t traced =
      is_traced(model) ? first_traced(architecture, mapping) : mapping.levels.size();
  for (std::size_t m = 1; m < mapping.levels.size(); ++m) {
    const std::vector<Loop>& loops = mapping.levels[m].loops;
    if (loops.empty()) continue;
    const std::optional<Tensor> s = irrelevant_tensor(loops.back().dim);
    std::size_t run = loops.size() - 1;  // the first loop of the run; G innermost is one alone
    while (s && run > 0 && !relevant(*s, loops[run - 1].dim)) --run;
    for (std::size_t outer = 0; outer < loops.size(); ++outer) {
      for (std::size_t inner = outer + 1; inner < loops.size(); ++inner) {
        if (m < traced && (outer >= run || inner < run)) continue;
        add_pair(needs.inside[m], loops[inner].dim, loops[outer].dim);
      }
    }
  }
  return needs;
}

void unite(LoopPrecedence& all, const LoopPrecedence& more) {
  all.inside.resize(std::max(all.inside.size(), more.inside.size()));
  for (std::size_t m = 0; m < more.inside.size(); ++m) {
    for (std::size_t j = 0; j < kDims; ++j) {
      all.inside[m][j] = static_cast<std::uint8_t>(all.inside[m][j] | more.inside[m][j]);
    }
  }
}

LoopPrecedence closure(LoopPrecedence pairs) {
  for (LevelPrecedence& inside : pairs.inside) make_transitive(inside);
  return pairs;
}

bool has_cycle(const LoopPrecedence& pairs) {
  for (const LevelPrecedence& inside : closure(pairs).inside) {
    for (std::size_t j = 0; j < kDims; ++j) {
      if (has(inside[j], j)) return true;
    }
  }
  return false;
}

LoopPrecedence with(LoopPrecedence pairs, const Pair& pair) {
  add_pair(pairs.inside[pair.level], pair.inner, pair.outer);
  return closure(std::move(pairs));
}

std::optional<Pair> open_pair(const LoopPrecedence& pairs, const LoopPrecedence& decided) {
  const LoopPrecedence reached = closure(pairs);
  std::optional<Pair> found;
  // The outermost levels first: they cost most. Contradictions before longer cycles.
  for (const bool direct : {true, false}) {
    for (std::size_t m = pairs.inside.size(); m-- > 1 && !found;) {
      for (const Dim outer : kAllDims) {
        for (const Dim inner : kAllDims) {
          const bool there = pairs.demands(m, inner, outer);
          const bool back = (direct ? pairs : reached).demands(m, outer, inner);
          if (found || !there || !back || decided.demands(m, inner, outer)) continue;
          found = Pair{m, inner, outer};
        }
      }
    }
  }
  return found;
}

LoopPermutations permutations(const LoopPrecedence& pairs) {
  LoopPermutations all;
  for (std::size_t m = 1; m < pairs.inside.size(); ++m) {
    std::array<Dim, kDims>& outermost_first = all.emplace_back();
    std::uint8_t placed = 0;  // from the inside out
    for (std::size_t at = kDims; at-- > 0;) {
      for (std::size_t j = kDims; j-- > 0;) {
        if (has(placed, j) || (pairs.inside[m][j] & ~placed) != 0) continue;
        outermost_first[at] = kAllDims[j];
        placed = static_cast<std::uint8_t>(placed | bit(j));
        break;
      }
    }
  }
  return all;
}

Mapping sorted(Mapping mapping, const LoopPermutations& permutations) {
  for (std::size_t m = 1; m < mapping.levels.size(); ++m) {
    const auto& order = permutations[m - 1];
    std::ranges::sort(mapping.levels[m].loops, std::ranges::less{}, [&](const Loop& loop) {
      return std::ranges::find(order, loop.dim) - order.begin();
    });
  }
  return mapping;
}

}  // namespace pimbb::dram_pim::network
