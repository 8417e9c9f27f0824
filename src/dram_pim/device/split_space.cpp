// Minimal factorings of each dimension, and their combinations within the levels' counts.
#include "dram_pim/device/split_space.hpp"

#include <algorithm>
#include <limits>
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

/// Both factors at each level, unless these exceed its children or need no fewer than an entry.
void SplitSpace::add_together(const std::int64_t* used, const Factoring& factors,
                              Usages& all) const {
  const std::size_t levels = factors.size();
  const std::size_t before = all.size();
  for (std::size_t d = 0; d < levels; ++d) {
    if (factors[d] > device_.levels[d].count / used[d]) return all.resize(before);
    all.push_back(used[d] * factors[d]);
  }
  const auto begin = all.begin();
  const auto within = [&](std::size_t i, std::size_t k) {  // whether the entry at i is within k's
    return std::equal(begin + static_cast<std::ptrdiff_t>(i),
                      begin + static_cast<std::ptrdiff_t>(i + levels),
                      begin + static_cast<std::ptrdiff_t>(k), std::less_equal());
  };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < before; i += levels) {
    if (within(i, before)) return all.resize(before);  // and so none was left out
    if (within(before, i)) continue;
    if (kept != i) std::copy_n(&all[i], levels, &all[kept]);
    kept += levels;
  }
  if (kept != before) std::copy_n(&all[before], levels, &all[kept]);
  all.resize(kept + levels);
}

std::int64_t SplitSpace::units(const std::int64_t* used) const {
  std::int64_t product = 1;
  for (const DeviceLevel& level : device_.levels) {
    product *= level.lockstep ? level.count : *used;
    ++used;
  }
  return product;
}

void SplitSpace::for_each_slice(
    const std::function<void(const Factors&, std::int64_t)>& visit) const {
  Factors slice = kOnes;
  if (device_.levels.empty()) {  // the whole layer, or what it may be padded to
    const auto all = [&](const auto& self, std::size_t j) -> void {
      if (j == kDims) return visit(slice, 1);
      for (const Part& part : parts_[j]) {
        slice[j] = part.bound;
        self(self, j + 1);
      }
    };
    return all(all, 0);
  }
  std::vector<Usages> used(kDims + 1);
  used.front().assign(device_.levels.size(), 1);
  descend(0, used, slice, visit);
}

/// Decides the bound of dimension j. `used[j]`: what the dimensions before need.
void SplitSpace::descend(std::size_t j, std::vector<Usages>& used, Factors& slice,
                         const std::function<void(const Factors&, std::int64_t)>& visit) const {
  const std::size_t levels = device_.levels.size();
  if (j == kDims) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < used[j].size(); i += levels) {
      least = std::min(least, units(&used[j][i]));
    }
    visit(slice, least);
    return;
  }
  for (const Part& part : parts_[j]) {
    Usages& with = used[j + 1];
    with.clear();
    for (std::size_t i = 0; i < used[j].size(); i += levels) {
      for (const Factoring& factors : part.factorings) add_together(&used[j][i], factors, with);
    }
    if (with.empty()) continue;
    slice[j] = part.bound;
    descend(j + 1, used, slice, visit);
  }
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
