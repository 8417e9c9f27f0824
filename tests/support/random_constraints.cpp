// Constraints one at a time; a mapping is held against each of them.
#include "support/random_constraints.hpp"

#include <algorithm>

namespace testkit {

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

FactorRange random_range(Choices& choices, std::int64_t bound) {
  std::vector<std::int64_t> divisors;
  for (std::int64_t f = 1; f <= bound; ++f) {
    if (bound % f == 0) divisors.push_back(f);
  }
  const std::int64_t f = divisors[choices.pick(divisors.size())];
  switch (choices.pick(4)) {
    case 0: return {f, f};
    case 1: return {1, f};
    case 2: return {f, FactorRange::kAny};
    default: return {std::min<std::int64_t>(f, 2), bound};
  }
}

Dim random_dim(Choices& choices, const Workload& w) {
  std::vector<Dim> long_ones;
  for (const Dim j : kAllDims) {
    if (w.bound(j) > 1) long_ones.push_back(j);
  }
  return long_ones.empty() ? Dim::K : long_ones[choices.pick(long_ones.size())];
}

void add_order(Choices& choices, Constraints& c) {
  const std::size_t m = 1 + choices.pick(c.orders.inside.size() - 1);
  std::vector<Dim> dims(kAllDims.begin(), kAllDims.end());
  choices.shuffle(dims);
  dims.resize(2 + choices.pick(kDims - 1));
  c.orders.inside[m] = {};
  for (std::size_t outer = 0; outer < dims.size(); ++outer) {
    for (std::size_t inner = outer + 1; inner < dims.size(); ++inner) {
      std::uint8_t& mask = c.orders.inside[m][index(dims[outer])];
      mask = static_cast<std::uint8_t>(mask | 1U << index(dims[inner]));
    }
  }
}

void add_layout(Choices& choices, const Workload& w, Constraints& c) {
  LayoutRange& range = c.layouts[choices.pick(kTensors)];
  range.sequential = range.channels_last = choices.once_in(2);
  range.row_aligned = !range.sequential;
  LayoutRange& input = c.layouts[index(Tensor::input)];
  if (!input.row_aligned || !choices.once_in(2)) return;
  const FactorRange h = random_range(choices, w.input_height());
  input.least[2] = h.least;
  input.most[2] = h.most;
}

bool admits(const FactorRange& range, std::int64_t factor) {
  return factor >= range.least && factor <= range.most;
}

bool factors_fit(const Constraints& c, const Mapping& m) {
  for (std::size_t j = 0; j < kDims; ++j) {
    for (std::size_t d = 0; d < kDirections; ++d) {
      if (!admits(c.spatial[d][j], m.spatial[d][j])) return false;
    }
    for (std::size_t level = 0; level < m.levels.size(); ++level) {
      std::int64_t factor = 1;
      for (const Loop& loop : m.levels[level].loops) {
        if (index(loop.dim) == j) factor *= loop.factor;
      }
      if (!admits(c.temporal[level][j], factor)) return false;
    }
  }
  return true;
}

bool ordered(const Constraints& c, const Mapping& m) {
  for (std::size_t level = 0; level < m.levels.size(); ++level) {
    const auto& loops = m.levels[level].loops;
    for (std::size_t outer = 0; outer < loops.size(); ++outer) {
      for (std::size_t inner = outer + 1; inner < loops.size(); ++inner) {
        const unsigned wanted_inside = c.orders.inside[level][index(loops[inner].dim)];
        if ((wanted_inside >> index(loops[outer].dim) & 1U) != 0) return false;
      }
    }
  }
  return true;
}

}  // namespace

Constraints random_constraints(Choices& choices, const Instance& i) {
  const Architecture& a = i.architecture;
  Constraints c;
  c.source = "random";
  c.temporal.resize(a.levels.size());
  c.stores.resize(a.levels.size());
  c.orders.inside.resize(a.levels.size());
  const std::size_t count = 1 + choices.pick(4);
  for (std::size_t k = 0; k < count; ++k) {
    const Dim j = random_dim(choices, i.workload);
    switch (choices.pick(6)) {
      case 0:
        c.spatial[choices.pick(kDirections)][index(j)] = random_range(choices, i.workload.bound(j));
        break;
      case 1:
      case 2:
        c.temporal[choices.pick(a.levels.size())][index(j)] =
            random_range(choices, i.workload.bound(j));
        break;
      case 3: {
        const std::size_t m = choices.pick(a.row_buffer());
        const std::size_t t = choices.pick(kTensors);
        if (a.levels[m].bypass_free && a.storable(m)[t]) c.stores[m][t] = choices.once_in(2);
        break;
      }
      case 4: add_order(choices, c); break;
      default: add_layout(choices, i.workload, c);
    }
  }
  return c;
}

oracle::Restriction part_of(const Constraints& c) {
  oracle::Restriction part;
  part.loops = [c](const Mapping& m) { return factors_fit(c, m) && ordered(c, m); };
  part.storage = [c](Tensor t, const std::vector<bool>& stored) {
    for (std::size_t m = 0; m < stored.size(); ++m) {
      const std::optional<bool>& wanted = c.stores[m][index(t)];
      if (wanted && *wanted != stored[m]) return false;
    }
    return true;
  };
  part.layout = [c](const Mapping&, Tensor t, const oracle::LayoutChoice& choice) {
    const LayoutRange& range = c.layouts[index(t)];
    if (choice.layout == Layout::sequential) return range.sequential;
    if (t != Tensor::input) return range.row_aligned;
    return range.row_aligned && admits({range.least[2], range.most[2]}, choice.block.h) &&
           admits({range.least[3], range.most[3]}, choice.block.w);
  };
  return part;
}

}  // namespace testkit
