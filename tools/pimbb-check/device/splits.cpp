// Minimal factorings of each dimension, and all combinations of them that the levels have children
// for.
//
// For fixed bounds b of the slice, the device's costs grow with every factor s: the children, the
// blocks that they cover, the links, the copies of partial sums and the units that run are products
// of factors, and every term of the costs is one of these, or the largest of some, times something
// that is not negative. So a split is of no use if some factor s > 1 of dimension j can be s - 1:
// if the other factors, whose product is S/s, still cover the bound B, (S/s) (s - 1) b >= B. The
// least bound of the slice grows then, and its top with it, so b stays within both.
//
// With the product P of the factors inside it, a factor s with P (s - 1) >= B is of no use for any
// b.
#include "splits.hpp"

#include <algorithm>

#include "../fields.hpp"

namespace pimbb_check::device {
namespace {

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return a / b + (a % b == 0 ? 0 : 1); }

}  // namespace

Splits::Splits(const Problem& p) : p_(p) {
  for (std::size_t j = 0; j < kDims; ++j) {
    Factoring factors;
    enumerate(j, factors, 1);
  }
}

void Splits::enumerate(std::size_t j, Factoring& factors, std::int64_t product) {
  const std::size_t d = factors.size();
  if (d == p_.levels().size()) return add(j, factors, product);
  const std::int64_t useful = divided_up(p_.layer().bounds[j], product);
  const std::int64_t most = p_.may_split(d, j) ? std::min(p_.levels()[d].count, useful) : 1;
  factors.push_back(1);
  for (std::int64_t factor = 1; factor <= most; ++factor) {
    factors.back() = factor;
    enumerate(j, factors, product * factor);
  }
  factors.pop_back();
}

/// For each bound of the slice for which the factors are minimal.
void Splits::add(std::size_t j, const Factoring& factors, std::int64_t product) {
  const std::int64_t whole = p_.layer().bounds[j];
  const std::int64_t least = divided_up(whole, product);
  cpp_int most = p_.top(j, least);
  for (const std::int64_t factor : factors) {
    if (factor == 1) continue;
    const std::int64_t fewer = product / factor * (factor - 1);
    most = std::min(most, cpp_int(divided_up(whole, fewer) - 1));
  }
  require(most <= kMost, "instance: bounds of slices may grow too far");
  for (std::int64_t bound = least; bound <= most; ++bound) factorings_[j][bound].push_back(factors);
}

void Splits::for_each_slice(
    const std::function<void(const Factors&, const std::vector<Split>&)>& visit) const {
  Factors slice = kOnes;
  descend(0, slice, {Split(p_.levels().size(), kOnes)}, visit);
}

/// Decides the bound of dimension j and of those after it. `so_far`: the splits of those before.
void Splits::descend(
    std::size_t j, Factors& slice, const std::vector<Split>& so_far,
    const std::function<void(const Factors&, const std::vector<Split>&)>& visit) const {
  if (j == kDims) return visit(slice, so_far);
  for (const auto& [bound, factorings] : factorings_[j]) {
    std::vector<Split> with;
    for (const Split& split : so_far) {
      for (const Factoring& factors : factorings) {
        Split longer = split;
        for (std::size_t d = 0; d < longer.size(); ++d) longer[d][j] = factors[d];
        if (fits(longer)) with.push_back(std::move(longer));
      }
    }
    if (with.empty()) continue;
    slice[j] = bound;
    descend(j + 1, slice, with, visit);
  }
}

bool Splits::fits(const Split& split) const {
  for (std::size_t d = 0; d < split.size(); ++d) {
    std::int64_t children = p_.levels()[d].count;
    for (const std::int64_t factor : split[d]) children /= factor;
    if (children == 0) return false;
  }
  return true;
}

void require_split(const Problem& p, const Split& split, const Factors& slice) {
  require(split.size() == p.levels().size(), "the split has another number of levels");
  Factors least = p.layer().bounds;
  for (std::size_t d = 0; d < split.size(); ++d) {
    cpp_int children = 1;
    for (std::size_t j = 0; j < kDims; ++j) {
      const std::int64_t factor = split[d][j];
      require(factor == 1 || p.may_split(d, j), "the split has a factor where none is allowed");
      children *= factor;
      least[j] = divided_up(least[j], factor);
    }
    require(children <= p.levels()[d].count, "the split needs more children than there are");
  }
  for (std::size_t j = 0; j < kDims; ++j) {
    require(slice[j] >= least[j], "the slices do not cover the layer");
    require(slice[j] <= p.top(j, least[j]), "the slices are larger than the padding allows");
  }
}

}  // namespace pimbb_check::device
