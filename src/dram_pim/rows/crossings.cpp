// Floor sums by the Euclidean algorithm, and the crossing count built on them.
#include "dram_pim/rows/crossings.hpp"

namespace pimbb::dram_pim::rows {

Int128 floor_sum(std::int64_t n, std::int64_t m, std::int64_t a, std::int64_t b) {
  // Take whole multiples of m out of a and b; what remains counts lattice points under a line of
  // slope a/m < 1, which is the same count for the line of slope m/a seen from the other axis.
  Int128 total = 0;
  Int128 count = n;
  Int128 mod = m;
  Int128 slope = a;
  Int128 start = b;
  while (count > 0) {
    total += (count - 1) * count / 2 * (slope / mod) + count * (start / mod);
    slope %= mod;
    start %= mod;
    const Int128 top = slope * count + start;
    if (top < mod) break;
    count = top / mod;
    start = top % mod;
    const Int128 old_mod = mod;
    mod = slope;
    slope = old_mod;
  }
  return total;
}

std::int64_t count_crossings(std::int64_t n, std::int64_t step, std::int64_t offset,
                             std::int64_t tile, std::int64_t block) {
  const std::int64_t threshold = block - tile + 1;  // first residue from which a tile straddles
  if (threshold >= block) return 0;
  return static_cast<std::int64_t>(floor_sum(n, block, step, offset + block - threshold) -
                                   floor_sum(n, block, step, offset));
}

}  // namespace pimbb::dram_pim::rows
