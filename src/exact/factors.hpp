// Prime factors and divisors of integers of 64 bits, in the time of their fourth root at most.
//
// Loop bounds may be large primes or have large prime factors, so no code may count up to a bound,
// nor up to its root: whatever needs the divisors of a bound takes them from here.
//
// Small prime factors are divided out. What is left is either prime, which the test of Miller and
// Rabin decides with a set of bases that is proven to be sufficient for 64 bits, or is split by
// Pollard's rho method in Brent's variant (R. P. Brent, "An improved Monte Carlo factorization
// algorithm", BIT 20, 1980). Boost's Miller-Rabin test draws its bases at random, so its answers
// are only probable.
#pragma once

#include <cstdint>
#include <vector>

namespace pimbb {

/// The prime factors of n >= 1 with repetition, ascending.
std::vector<std::int64_t> prime_factors_of(std::int64_t n);

/// All divisors of n >= 1, ascending.
std::vector<std::int64_t> divisors_of(std::int64_t n);

bool is_prime(std::int64_t n);

}  // namespace pimbb
