// Factorizations by recursion over the dimensions, orders by recursion over the levels.
#include "support/enumeration.hpp"

#include <algorithm>

#include "support/oracle_feasibility.hpp"

namespace oracle {
namespace {

using pimbb::dram_pim::Direction;
using pimbb::dram_pim::kAllDirections;

class Factorizations {
 public:
  Factorizations(const Architecture& a, const Workload& w,
                 const std::function<void(Mapping&)>& visit)
      : a_(a), w_(w), visit_(visit) {
    m_.levels.resize(a.levels.size());
  }

  void dimension(std::size_t j) {
    if (j == kDims) {
      if (fits_array()) visit_(m_);
      return;
    }
    const std::int64_t bound = w_.bounds[j];
    temporal(j, 0, bound);  // not unrolled at all
    for (const Direction d : kAllDirections) {
      if (!unit_allows(a_, d, kAllDims[j])) continue;
      for (std::int64_t factor = 2; factor <= bound; ++factor) {
        if (bound % factor != 0) continue;
        m_.spatial[index(d)][j] = factor;
        temporal(j, 0, bound / factor);
        m_.spatial[index(d)][j] = 1;
      }
    }
  }

 private:
  /// Splits `rest` over levels `level` .. outermost.
  void temporal(std::size_t j, std::size_t level, std::int64_t rest) {
    if (level + 1 == m_.levels.size()) return with_loop(j, level, rest, 1);
    for (std::int64_t factor = 1; factor <= rest; ++factor) {
      if (rest % factor == 0) with_loop(j, level, factor, rest / factor);
    }
  }

  void with_loop(std::size_t j, std::size_t level, std::int64_t factor, std::int64_t rest) {
    if (factor > 1) m_.levels[level].loops.push_back({kAllDims[j], factor});
    if (level + 1 == m_.levels.size()) {
      dimension(j + 1);
    } else {
      temporal(j, level + 1, rest);
    }
    if (factor > 1) m_.levels[level].loops.pop_back();
  }

  [[nodiscard]] bool fits_array() const {
    const std::array<std::int64_t, 3> extent{a_.pe_array.height, a_.pe_array.width,
                                             a_.pe_array.num_macs};
    for (std::size_t d = 0; d < 3; ++d) {
      std::int64_t used = 1;
      for (const std::int64_t factor : m_.spatial[d]) used *= factor;
      if (used > extent[d]) return false;
    }
    return true;
  }

  const Architecture& a_;
  const Workload& w_;
  const std::function<void(Mapping&)>& visit_;
  Mapping m_;
};

bool by_dimension(const Loop& x, const Loop& y) { return x.dim < y.dim; }

}  // namespace

void for_each_factorization(const Architecture& a, const Workload& w,
                            const std::function<void(Mapping&)>& visit) {
  Factorizations(a, w, visit).dimension(0);
}

void for_each_order(Mapping& m, const std::function<void()>& visit, std::size_t level) {
  if (level == m.levels.size()) return visit();
  std::vector<Loop>& loops = m.levels[level].loops;
  std::sort(loops.begin(), loops.end(), by_dimension);
  do {
    for_each_order(m, visit, level + 1);
  } while (std::next_permutation(loops.begin(), loops.end(), by_dimension));
}

std::vector<std::vector<bool>> storage_patterns(const Architecture& a, Tensor t) {
  std::vector<std::vector<bool>> patterns{{}};
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    std::vector<std::vector<bool>> longer;
    for (const std::vector<bool>& pattern : patterns) {
      for (const bool stored : {false, true}) {
        if (!storage_allowed(a, level, t, stored)) continue;
        longer.push_back(pattern);
        longer.back().push_back(stored);
      }
    }
    patterns = std::move(longer);
  }
  return patterns;
}

std::vector<LayoutChoice> layout_choices(const Architecture& a, const Workload& w, Mapping m,
                                         Tensor t) {
  std::vector<LayoutChoice> choices{{}};
  const auto try_block = [&](std::int64_t h, std::int64_t width) {
    const LayoutChoice choice{
        pimbb::dram_pim::Layout::row_aligned, {h, width}, pimbb::dram_pim::InputOrder::nchw};
    set_layout(m, t, choice);
    if (layout_fits(a, w, m, t)) choices.push_back(choice);
  };
  if (t != Tensor::input) {
    try_block(0, 0);
    return choices;
  }
  if (a.input_order == pimbb::dram_pim::InputOrder::free) {
    choices.push_back({{}, {}, pimbb::dram_pim::InputOrder::nhwc});
  }
  const Axes plane = tile_box(w, t, Factors{}, w.bounds).size;
  for (std::int64_t h = 1; h <= plane[3]; ++h) {
    for (std::int64_t width = 1; width <= plane[4]; ++width) try_block(h, width);
  }
  return choices;
}

void set_storage(Mapping& m, Tensor t, const std::vector<bool>& pattern) {
  for (std::size_t level = 0; level < pattern.size(); ++level) {
    m.levels[level].stores[index(t)] = pattern[level];
  }
}

void set_layout(Mapping& m, Tensor t, const LayoutChoice& choice) {
  m.layout[index(t)] = choice.layout;
  if (t != Tensor::input) return;
  m.input_block = choice.block;
  m.input_order = choice.order;
}

}  // namespace oracle
