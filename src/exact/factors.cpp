// Arithmetic modulo n uses products of 128 bits.
#include "exact/factors.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

#include "exact/int128.hpp"

namespace pimbb {
namespace {

using Word = std::uint64_t;

Word times_modulo(Word a, Word b, Word n) {
  return static_cast<Word>(static_cast<UInt128>(a) * b % n);
}

Word power_modulo(Word base, Word exponent, Word n) {
  Word power = 1;
  for (base %= n; exponent != 0; exponent >>= 1) {
    if ((exponent & 1U) != 0) power = times_modulo(power, base, n);
    base = times_modulo(base, base, n);
  }
  return power;
}

/// Whether base^(n-1) and its square roots are what they would be if n were prime; n is odd.
bool passes(Word base, Word n) {
  Word odd = n - 1;
  int halvings = 0;
  for (; odd % 2 == 0; odd /= 2) ++halvings;
  Word x = power_modulo(base, odd, n);
  if (x == 1 || x == n - 1) return true;
  for (int k = 1; k < halvings; ++k) {
    x = times_modulo(x, x, n);
    if (x == n - 1) return true;
  }
  return false;
}

/// These bases decide every n below 3.3e24 (J. Sorenson and J. Webster, "Strong pseudoprimes to
/// twelve prime bases", Math. Comp. 86, 2017).
constexpr std::array<Word, 12> kBases{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

/// A divisor of a composite n other than 1 and n, or n itself for an unsuitable `increment`: the
/// sequence x -> x^2 + increment runs into a cycle modulo a prime factor before it does modulo n.
Word split_with(Word n, Word increment) {
  constexpr Word kTogether = 128;  // differences multiplied before a common divisor is taken
  const auto next = [&](Word x) {
    return static_cast<Word>((static_cast<UInt128>(x) * x + increment) % n);
  };
  const auto difference = [](Word a, Word b) { return a > b ? a - b : b - a; };
  Word x = 2;
  Word y = 2;
  Word saved = 2;
  Word product = 1;
  Word divisor = 1;
  for (Word length = 1; divisor == 1; length *= 2) {
    x = y;
    for (Word k = 0; k < length; ++k) y = next(y);
    for (Word done = 0; done < length && divisor == 1; done += kTogether) {
      saved = y;
      for (Word k = 0; k < std::min(kTogether, length - done); ++k) {
        y = next(y);
        product = times_modulo(product, difference(x, y), n);
      }
      divisor = std::gcd(product, n);
    }
  }
  if (divisor != n) return divisor;
  do {  // several factors at once: one difference at a time
    saved = next(saved);
    divisor = std::gcd(difference(x, saved), n);
  } while (divisor == 1);
  return divisor;
}

void add_factors(Word n, std::vector<std::int64_t>& primes) {
  if (n == 1) return;
  if (is_prime(static_cast<std::int64_t>(n))) {
    primes.push_back(static_cast<std::int64_t>(n));
    return;
  }
  Word divisor = n;
  for (Word increment = 1; divisor == n; ++increment) divisor = split_with(n, increment);
  assert(divisor > 1 && n % divisor == 0);
  add_factors(divisor, primes);
  add_factors(n / divisor, primes);
}

}  // namespace

bool is_prime(std::int64_t n) {
  if (n < 2) return false;
  const auto word = static_cast<Word>(n);
  for (const Word p : kBases) {
    if (word % p == 0) return word == p;
  }
  return std::ranges::all_of(kBases, [word](Word base) { return passes(base, word); });
}

std::vector<std::int64_t> prime_factors_of(std::int64_t n) {
  assert(n >= 1);
  constexpr std::int64_t kSmall = 256;
  std::vector<std::int64_t> primes;
  for (std::int64_t p = 2; p < kSmall && p * p <= n; ++p) {
    for (; n % p == 0; n /= p) primes.push_back(p);
  }
  add_factors(static_cast<Word>(n), primes);
  std::ranges::sort(primes);
  return primes;
}

std::vector<std::int64_t> divisors_of(std::int64_t n) {
  std::vector<std::int64_t> divisors{1};
  std::size_t without = 1;  // divisors without the prime at hand
  std::int64_t before = 1;
  for (const std::int64_t prime : prime_factors_of(n)) {
    const std::size_t first = prime == before ? divisors.size() - without : 0;
    const std::size_t end = divisors.size();
    for (std::size_t k = first; k < end; ++k) divisors.push_back(divisors[k] * prime);
    without = end - first;
    before = prime;
  }
  std::ranges::sort(divisors);
  return divisors;
}

}  // namespace pimbb
