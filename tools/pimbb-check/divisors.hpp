// Prime factors and divisors, by trial division up to the root: at most 10^8 steps, once a bound.
#pragma once

#include <cstdint>
#include <vector>

namespace pimbb_check {

struct PrimePower {
  std::int64_t prime;
  unsigned exponent;
};

/// Of n >= 1, ascending.
std::vector<PrimePower> prime_powers(std::int64_t n);
/// Of n >= 1, ascending.
std::vector<std::int64_t> divisors(std::int64_t n);

}  // namespace pimbb_check
