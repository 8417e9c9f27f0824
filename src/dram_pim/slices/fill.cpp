// The products of divisors that fit, as a set of bits: one dimension after the other.
#include "dram_pim/slices/fill.hpp"

#include <algorithm>

namespace pimbb::dram_pim::slices {
namespace {

/// Extents up to here are counted exactly; beyond, a bound from above is enough.
constexpr std::int64_t kLargest = 4096;

/// Whether the extent itself is a product: then nothing more need be counted.
bool full(const std::vector<bool>& reached) { return reached.back(); }

void multiply(std::vector<bool>& reached, std::int64_t bound) {
  const auto extent = static_cast<std::int64_t>(reached.size()) - 1;
  const std::vector<bool> before = reached;
  for (std::int64_t divisor = 2; divisor <= std::min(extent, bound); ++divisor) {
    if (bound % divisor != 0) continue;
    for (std::int64_t product = 1; product * divisor <= extent; ++product) {
      if (before[static_cast<std::size_t>(product)]) {
        reached[static_cast<std::size_t>(product * divisor)] = true;
      }
    }
  }
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
  std::vector<bool> reached(static_cast<std::size_t>(extent) + 1);
  reached[1] = true;
  for (const Dim d : kAllDims) {
    if ((dims & set_of(d)) == 0 || bounds[index(d)] == 1) continue;
    multiply(reached, bounds[index(d)]);
    if (full(reached)) return extent;
  }
  std::int64_t most = extent;
  while (!reached[static_cast<std::size_t>(most)]) --most;
  return most;
}

}  // namespace pimbb::dram_pim::slices
