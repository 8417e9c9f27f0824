// Minimal factorings of each dimension, and their combinations within the levels' counts.
#include "dram_pim/device/split_space.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "pimbb/error.hpp"

namespace pimbb::dram_pim::device {
namespace {

constexpr std::size_t kMostBounds = std::size_t{1} << 22;

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

SplitSpace::SplitSpace(const Device& device, const Workload& layer, const Moves& moves)
    : device_(device),
      bounds_(layer.bounds),
      padding_(layer.padding),
      reductions_stay_(!moves[index(Tensor::output)]) {
  for (const Dim j : kAllDims) {
    std::vector<Part>& parts = parts_[index(j)];
    for (const std::int64_t bound : bounds_of(j, most_parts(j))) {
      Part part{bound, factorings(j, bound)};
      if (!part.factorings.empty()) parts.push_back(std::move(part));
    }
  }
}

bool SplitSpace::may_split(std::size_t d, Dim j) const {
  return device_.levels[d].dims[index(j)] && !(reductions_stay_ && is_reduction(j));
}

std::int64_t SplitSpace::top(Dim j, std::int64_t bound) const {
  return padding_ ? padding_->top(j, bound) : bound;
}

/// The largest product of factors that is of any use.
std::int64_t SplitSpace::most_parts(Dim j) const {
  std::int64_t most = 1;
  for (std::size_t d = 0; d < device_.levels.size(); ++d) {
    if (!may_split(d, j)) continue;
    if (most >= divided_up(bounds_[index(j)], device_.levels[d].count)) {
      return bounds_[index(j)];
    }
    most *= device_.levels[d].count;
  }
  return std::min(most, bounds_[index(j)]);
}

/// The bounds of a slice: of every number of parts the least one up to its top.
std::vector<std::int64_t> SplitSpace::bounds_of(Dim j, std::int64_t most_parts) const {
  const std::int64_t whole = bounds_[index(j)];
  std::set<std::int64_t, std::greater<>> all;
  for (std::int64_t parts = 1; parts <= most_parts; ++parts) {
    const std::int64_t least = divided_up(whole, parts);
    const std::int64_t most = top(j, least);
    for (std::int64_t bound = least; bound <= most; ++bound) {
      all.insert(bound);
      if (all.size() > kMostBounds) {
        throw InputError("pad: found more than " + std::to_string(kMostBounds) + " bounds of " +
                         std::string(name(j)) + " for slices; allowed is less padding");
      }
    }
  }
  return {all.begin(), all.end()};
}

/// All but the last factor freely, the last one as small as possible; then what is not minimal
/// goes.
std::vector<SplitSpace::Factoring> SplitSpace::factorings(Dim j, std::int64_t bound) const {
  const std::size_t levels = device_.levels.size();
  const std::int64_t parts = divided_up(bounds_[index(j)], bound);
  std::vector<Factoring> found;
  Factoring factors(levels, 1);
  const auto accept = [&](std::int64_t product) {
    for (const std::int64_t factor : factors) {
      if (factor > 1 && product / factor * (factor - 1) >= parts) return;
    }
    if (bound > top(j, divided_up(bounds_[index(j)], product))) return;
    found.push_back(factors);
  };
  const auto choose = [&](const auto& self, std::size_t d, std::int64_t product) -> void {
    if (d == levels) {
      if (product >= parts) accept(product);
      return;
    }
    const std::int64_t wanted = divided_up(parts, product);
    const std::int64_t most = may_split(d, j) ? std::min(device_.levels[d].count, wanted) : 1;
    for (std::int64_t factor = d + 1 == levels ? most : 1; factor <= most; ++factor) {
      factors[d] = factor;
      self(self, d + 1, product * factor);
    }
    factors[d] = 1;
  };
  choose(choose, 0, 1);
  return found;
}

std::optional<SplitSpace::Factoring> SplitSpace::together(const Factoring& used,
                                                          const Factoring& factors) const {
  Factoring product = used;
  for (std::size_t d = 0; d < product.size(); ++d) {
    if (factors[d] > device_.levels[d].count / product[d]) return std::nullopt;
    product[d] *= factors[d];
  }
  return product;
}

struct SplitSpace::Walk {
  const Visit& visit;
  Int128 most_macs = 0;
  std::vector<std::size_t> open;   // dimensions that may be split or padded
  std::vector<Int128> least_rest;  // MACs of a slice from the open dimensions k and later, at least
  std::vector<Usages> used;        // what the open dimensions before k need
  Usages use;                      // one entry
  Factors slice = kOnes;

  /// MACs with one more dimension; without a limit they need not fit 128 bits.
  [[nodiscard]] Int128 times(Int128 macs, std::int64_t bound) const {
    return most_macs == kAnyMacs ? 1 : macs * bound;
  }
};

/// Both uses of each level, and the units that run; false if some level has too few children.
bool SplitSpace::use_together(const std::int64_t* used, const Factoring& factors,
                              std::int64_t* both) const {
  std::int64_t units = 1;
  for (std::size_t d = 0; d < factors.size(); ++d) {
    const DeviceLevel& level = device_.levels[d];
    if (__builtin_mul_overflow(used[d], factors[d], &both[d]) || both[d] > level.count)
      return false;
    units *= level.lockstep ? level.count : both[d];
  }
  both[factors.size()] = units;
  return true;
}

/// Adds an entry, unless another one is within it; leaves out those that it is within.
void SplitSpace::add_use(const std::int64_t* use, Usages& all) const {
  const std::size_t levels = width() - 1;
  const auto within = [&](const std::int64_t* a, const std::int64_t* b) {
    return std::equal(a, a + levels, b, std::less_equal());
  };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); i += width()) {
    if (within(&all[i], use)) return;  // and so none was left out
    if (within(use, &all[i])) continue;
    if (kept != i) std::copy_n(&all[i], width(), &all[kept]);
    kept += width();
  }
  all.resize(kept);
  all.insert(all.end(), use, use + width());
}

void SplitSpace::for_each_slice(const Visit& visit, Int128 most_macs) const {
  Walk walk{visit, most_macs, {}, {}, {}, {}, {}};
  Usages unused(width(), 1);
  Int128 macs = 1;
  const Factoring whole(device_.levels.size(), 1);
  use_together(unused.data(), whole, unused.data());
  for (const Dim j : kAllDims) {
    const std::vector<Part>& parts = parts_[index(j)];
    if (parts.size() != 1 || parts.front().factorings != std::vector<Factoring>{whole}) {
      walk.open.push_back(index(j));
      continue;
    }
    walk.slice[index(j)] = parts.front().bound;
    macs = walk.times(macs, parts.front().bound);
  }
  walk.used.resize(walk.open.size() + 1);
  walk.used.front() = unused;
  walk.use.resize(width());
  walk.least_rest.assign(walk.open.size() + 1, 1);
  for (std::size_t k = walk.open.size(); k-- > 0;) {
    const std::vector<Part>& parts = parts_[walk.open[k]];
    if (parts.empty()) return;
    walk.least_rest[k] = walk.times(walk.least_rest[k + 1], parts.back().bound);  // they descend
  }
  if (walk.most_macs != kAnyMacs && macs * walk.least_rest.front() > walk.most_macs) return;
  descend(0, macs, walk);
}

/// Decides the bound of the open dimension k; false if the visits are to end. `macs`: those of a
/// slice from the dimensions that are decided.
bool SplitSpace::descend(std::size_t k, Int128 macs, Walk& walk) const {
  const Usages& used = walk.used[k];
  if (k == walk.open.size()) {
    std::int64_t least = used[width() - 1];
    for (std::size_t i = 2 * width() - 1; i < used.size(); i += width()) {
      least = std::min(least, used[i]);
    }
    return walk.visit(walk.slice, least);
  }
  Usages& with = walk.used[k + 1];
  for (const Part& part : parts_[walk.open[k]]) {
    const Int128 with_this = walk.times(macs, part.bound);
    if (with_this * walk.least_rest[k + 1] > walk.most_macs) continue;
    with.clear();
    for (std::size_t i = 0; i < used.size(); i += width()) {
      for (const Factoring& factors : part.factorings) {
        if (use_together(&used[i], factors, walk.use.data())) add_use(walk.use.data(), with);
      }
    }
    if (with.empty()) continue;
    walk.slice[walk.open[k]] = part.bound;
    if (!descend(k + 1, with_this, walk)) return false;
  }
  return true;
}

std::vector<Split> SplitSpace::splits(const Factors& slice) const {
  std::vector<Split> all;
  Split split(device_.levels.size(), kOnes);
  assemble(0, slice, Factoring(device_.levels.size(), 1), split, all);
  return all;
}

void SplitSpace::assemble(std::size_t j, const Factors& slice, const Factoring& used, Split& split,
                          std::vector<Split>& all) const {
  if (j == kDims) {
    all.push_back(split);
    return;
  }
  const auto part = std::ranges::find(parts_[j], slice[j], &Part::bound);
  if (part == parts_[j].end()) return;
  for (const Factoring& factors : part->factorings) {
    const std::optional<Factoring> product = together(used, factors);
    if (!product) continue;
    for (std::size_t d = 0; d < split.size(); ++d) split[d][j] = factors[d];
    assemble(j + 1, slice, *product, split, all);
  }
}

}  // namespace pimbb::dram_pim::device
