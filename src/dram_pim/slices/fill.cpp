// The products of divisors that fit, as a set of bits: one dimension after the other.
#include "dram_pim/slices/fill.hpp"

#include <algorithm>
#include <bitset>

namespace pimbb::dram_pim::slices {
namespace {

/// Extents up to here are counted exactly; beyond, a bound from above is enough.
constexpr std::int64_t kLargest = 4096;

/// Products, as set bits; arrays are rarely larger than 63.
template <std::size_t kExtent>
using Products = std::bitset<kExtent + 1>;

template <std::size_t kExtent>
void multiply(Products<kExtent>& reached, std::int64_t extent, std::int64_t bound) {
  const Products<kExtent> before = reached;
  for (std::int64_t divisor = 2; divisor <= std::min(extent, bound); ++divisor) {
    if (bound % divisor != 0) continue;
    for (std::int64_t product = 1; product * divisor <= extent; ++product) {
      const auto p = static_cast<std::size_t>(product);
      if (before[p]) reached.set(p * static_cast<std::size_t>(divisor));
    }
  }
}

template <std::size_t kExtent>
std::int64_t largest_product(std::int64_t extent, DimSet dims, const Factors& bounds) {
  Products<kExtent> reached;
  reached.set(1);
  for (const Dim d : kAllDims) {
    if ((dims & set_of(d)) == 0 || bounds[index(d)] == 1) continue;
    multiply<kExtent>(reached, extent, bounds[index(d)]);
    if (reached[static_cast<std::size_t>(extent)]) return extent;  // nothing is larger
  }
  std::int64_t most = extent;
  while (!reached[static_cast<std::size_t>(most)]) --most;
  return most;
}

}  // namespace

std::int64_t largest_fill(std::int64_t extent, DimSet dims, const Factors& bounds) {
  if (extent <= 1) return 1;
  for (const Dim d : kAllDims) {  // the most frequent case
    if ((dims & set_of(d)) != 0 && bounds[index(d)] % extent == 0) return extent;
  }
  if (extent > kLargest) {
    std::int64_t all = 1;
    for (const Dim d : kAllDims) {
      if ((dims & set_of(d)) == 0) continue;
      if (__builtin_mul_overflow(all, bounds[index(d)], &all) || all >= extent) return extent;
    }
    return all;
  }
  return extent < 64 ? largest_product<63>(extent, dims, bounds)
                     : largest_product<kLargest>(extent, dims, bounds);
}

}  // namespace pimbb::dram_pim::slices
