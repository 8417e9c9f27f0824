// Enumeration of schemes; divisors, primes and the flexible factorization.
#include "scheme.hpp"

#include <algorithm>
#include <set>

namespace pimbb_check::cim {
namespace {

std::int64_t product(const Factors& factors) {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) product *= factor;
  return product;
}

void exchange(Factors& factors) {
  std::swap(factors[P], factors[Q]);
  std::swap(factors[R], factors[S]);
}

/// The factor of each pair of axis and dimension, the last pair varying fastest.
void unroll(const Problem& p, std::size_t pair, Scheme& scheme, Factors& unrolled,
            std::vector<Scheme>& found) {
  const std::size_t u = pair / kDims;
  const std::size_t j = pair % kDims;
  if (u == p.axes.size()) {
    const Factors bounds = p.grown(unrolled);
    for (std::size_t d = 0; d < kDims; ++d) scheme.extents[d] = bounds[d] / unrolled[d];
    found.push_back(scheme);
    return;
  }
  std::int64_t room = p.axes[u].size / product(scheme.spatial[u]);
  if (!p.axes[u].dims[j]) room = 1;
  const std::int64_t before = unrolled[j];
  for (std::int64_t f = 1; f <= room && before * f <= p.bounds[j]; ++f) {
    if (p.padding != Padding::ceil && p.bounds[j] % (before * f) != 0) continue;
    scheme.spatial[u][j] = f;
    unrolled[j] = before * f;
    unroll(p, pair + 1, scheme, unrolled, found);
  }
  scheme.spatial[u][j] = 1;
  unrolled[j] = before;
}

std::vector<std::int64_t> primes(std::int64_t n) {
  std::vector<std::int64_t> factors;
  for (std::int64_t f = 2; f * f <= n; ++f) {
    for (; n % f == 0; n /= f) factors.push_back(f);
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

/// Four times the weighted number of ways to deal the factors to one, two or three levels, as far
/// as their products differ; weights 1, 1/2, 1/4.
std::int64_t ways_to_deal(const std::vector<std::int64_t>& factors) {
  std::set<std::array<std::int64_t, 3>> hands{{1, 1, 1}};
  for (const std::int64_t factor : factors) {
    std::set<std::array<std::int64_t, 3>> next;
    for (const auto& hand : hands) {
      for (std::size_t k = 0; k < 3; ++k) {
        auto dealt = hand;
        dealt[k] *= factor;
        std::ranges::sort(dealt);
        next.insert(dealt);
      }
    }
    hands.swap(next);
  }
  std::int64_t score = 0;
  for (const auto& hand : hands) score += hand[1] == 1 ? 4 : hand[0] == 1 ? 2 : 1;
  return score;
}

Places divisors(std::int64_t extent, bool primes_only) {
  Places all;
  for (std::int64_t f = 1; f * f <= extent; ++f) {
    if (extent % f != 0) continue;
    all.emplace_back().done = f;
    if (f != extent / f) all.emplace_back().done = extent / f;
  }
  std::ranges::sort(all, {}, &Place::done);
  for (Place& from : all) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].done == from.done || all[k].done % from.done != 0) continue;
      const std::int64_t factor = all[k].done / from.done;
      if (!primes_only || is_prime(factor)) from.steps.push_back({factor, k});
    }
  }
  return all;
}

/// Parts of a list: a number for each distinct factor, the first one varying fastest.
Places parts(const std::vector<std::int64_t>& factors) {
  Places all(1);
  for (std::size_t k = 0; k < factors.size();) {
    const auto same = static_cast<std::size_t>(std::ranges::count(factors, factors[k]));
    const std::size_t stride = all.size();
    for (std::size_t n = 0; n < same * stride; ++n) {
      Place more;
      more.done = all[n].done * factors[k];
      all.push_back(more);
    }
    for (std::size_t n = 0; n < all.size(); ++n) {
      // The steps of other factors, once more for each number of this one.
      if (n >= stride) {
        for (const Step& step : all[n % stride].steps) {
          if (step.to < stride) all[n].steps.push_back({step.factor, step.to + n - n % stride});
        }
      }
    }
    for (std::size_t n = 0; n + stride < all.size(); ++n) {
      all[n].steps.push_back({factors[k], n + stride});
    }
    k += same;
  }
  return all;
}

}  // namespace

/// Algorithm 1 of MIREDO: the pair whose merging loses least, the first of equals, as long as the
/// loss is at most a tenth of the score of the primes and more than two factors are left.
std::vector<std::int64_t> flexible(std::int64_t extent) {
  std::vector<std::int64_t> factors = primes(extent);
  const std::int64_t full = ways_to_deal(factors);
  while (factors.size() > 2) {
    std::vector<std::int64_t> best;
    std::int64_t highest = -1;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      for (std::size_t j = i + 1; j < factors.size(); ++j) {
        std::vector<std::int64_t> merged;
        for (std::size_t k = 0; k < factors.size(); ++k) {
          if (k != i && k != j) merged.push_back(factors[k]);
        }
        merged.push_back(factors[i] * factors[j]);
        std::ranges::sort(merged);
        const std::int64_t score = ways_to_deal(merged);
        if (score <= highest) continue;
        highest = score;
        best = merged;
      }
    }
    if ((ways_to_deal(factors) - highest) * 10 > full) break;
    factors = best;
  }
  return factors;
}

bool is_prime(std::int64_t n) { return primes(n).size() == 1; }

Factors Scheme::unrolled() const {
  Factors all = kOnes;
  for (const Factors& factors : spatial) {
    for (std::size_t j = 0; j < kDims; ++j) all[j] *= factors[j];
  }
  return all;
}

std::int64_t Scheme::products() const { return product(extents); }
std::int64_t Scheme::cores() const { return product(spatial[0]); }

Scheme Scheme::mirrored() const {
  Scheme mirror = *this;
  for (Factors& factors : mirror.spatial) exchange(factors);
  exchange(mirror.extents);
  return mirror;
}

std::vector<Scheme> schemes(const Problem& p) {
  std::vector<Scheme> all;
  Scheme scheme;
  scheme.spatial.assign(p.axes.size(), kOnes);
  Factors unrolled = kOnes;
  unroll(p, 0, scheme, unrolled, all);
  if (!p.full) return all;
  std::int64_t fewest = INT64_MAX;
  for (const Scheme& one : all) fewest = std::min(fewest, one.products());
  std::erase_if(all, [&](const Scheme& one) { return one.products() > fewest; });
  return all;
}

bool symmetric(const Problem& p) {
  Factors mirror = p.bounds;
  exchange(mirror);
  const bool square = !p.plane || (*p.plane)[0] == (*p.plane)[1];
  bool axes = true;
  for (const Axis& axis : p.axes) {
    axes = axes && axis.dims[P] == axis.dims[Q] && axis.dims[R] == axis.dims[S];
  }
  return mirror == p.bounds && p.stride_w == p.stride_h && p.dilation_w == p.dilation_h && square &&
         axes;
}

Places places(std::int64_t extent, FactorRule rule) {
  Places all = rule == FactorRule::flex ? parts(flexible(extent))
                                        : divisors(extent, rule == FactorRule::prime);
  for (Place& place : all) {
    place.left = extent / place.done;
    if (place.steps.empty()) continue;
    place.smallest = std::ranges::min_element(place.steps, {}, &Step::factor)->factor;
    place.largest = std::ranges::max_element(place.steps, {}, &Step::factor)->factor;
  }
  return all;
}

}  // namespace pimbb_check::cim
