// Prime factors and divisors: against counting for small numbers; for large ones, numbers that are
// put together from known primes, and those that deceive weak tests of primality.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exact/factors.hpp"

using pimbb::divisors_of;
using pimbb::is_prime;
using pimbb::prime_factors_of;
using Numbers = std::vector<std::int64_t>;

TEST_CASE("small numbers: the divisors and primes that counting finds") {
  for (std::int64_t n = 1; n <= 3000; ++n) {
    Numbers divisors;
    for (std::int64_t d = 1; d <= n; ++d) {
      if (n % d == 0) divisors.push_back(d);
    }
    CHECK(divisors_of(n) == divisors);
    CHECK(is_prime(n) == (divisors.size() == 2));
  }
}

TEST_CASE("large numbers: the primes that they are products of") {
  const std::vector<Numbers> products{
      {999999937},
      {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 41, 263761},
      {94906249, 94906249},                // a square
      {2147483629, 2147483647},            // two large primes
      {2097143, 2097143, 2097143},         // a cube
      {3, 3, 257, 263, 1000003, 1000003},  // small, medium and repeated
      {151, 751, 28351},                   // pseudoprime to bases 2, 3, 5 and 7
      {149491, 747451, 34233211},          // to all bases up to 31
      {9007199254740881},                  // the largest prime below 2^53
      {9223372036854775783},               // and below 2^63
  };
  for (const Numbers& primes : products) {
    std::int64_t n = 1;
    for (const std::int64_t p : primes) n *= p;
    CAPTURE(n);
    CHECK(prime_factors_of(n) == primes);
    CHECK(is_prime(n) == (primes.size() == 1));
  }
}

TEST_CASE("divisors of large numbers: as many as the exponents say, in pairs") {
  CHECK(divisors_of(9007199254740881) == Numbers{1, 9007199254740881});
  const std::int64_t many = 44294967296;  // 2^12 * 41 * 263761
  const Numbers divisors = divisors_of(many);
  CHECK(divisors.size() == 13 * 2 * 2);
  CHECK(std::ranges::is_sorted(divisors));
  for (std::size_t k = 0; k < divisors.size(); ++k) {
    CHECK(divisors[k] * divisors[divisors.size() - 1 - k] == many);
  }
}
