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

bool covers_less(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  return std::ranges::equal(a, b, std::less_equal());
}

/// Of usages of the levels those that none other is within.
void keep_least(std::vector<std::vector<std::int64_t>>& usages) {
  std::ranges::sort(usages);
  const auto repeated = std::unique(usages.begin(), usages.end());
  usages.erase(repeated, usages.end());
  std::vector<std::vector<std::int64_t>> kept;
  for (auto& usage : usages) {
    const bool beaten =
        std::ranges::any_of(kept, [&](const auto& other) { return covers_less(other, usage); });
    if (!beaten) kept.push_back(std::move(usage));
  }
  usages = std::move(kept);
}

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

std::int64_t SplitSpace::units(const Factoring& used) const {
  std::int64_t product = 1;
  for (std::size_t d = 0; d < used.size(); ++d) {
    product *= device_.levels[d].lockstep ? device_.levels[d].count : used[d];
  }
  return product;
}

void SplitSpace::for_each_slice(
    const std::function<void(const Factors&, std::int64_t)>& visit) const {
  Factors slice = kOnes;
  descend(0, {Factoring(device_.levels.size(), 1)}, slice, visit);
}

/// Decides the bound of dimension j. `used`: children of each level that the dimensions before
/// need, one entry for each way to have them that is not within another.
void SplitSpace::descend(std::size_t j, const std::vector<Factoring>& used, Factors& slice,
                         const std::function<void(const Factors&, std::int64_t)>& visit) const {
  if (j == kDims) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Factoring& usage : used) least = std::min(least, units(usage));
    visit(slice, least);
    return;
  }
  for (const Part& part : parts_[j]) {
    std::vector<Factoring> with;
    for (const Factoring& usage : used) {
      for (const Factoring& factors : part.factorings) {
        if (auto product = together(usage, factors)) with.push_back(*std::move(product));
      }
    }
    if (with.empty()) continue;
    if (with.size() > 1) keep_least(with);
    slice[j] = part.bound;
    descend(j + 1, with, slice, visit);
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
