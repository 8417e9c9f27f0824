// 2 and 3 first, then only numbers that neither of them divides.
#include "divisors.hpp"

#include <algorithm>

namespace pimbb_check {

std::vector<PrimePower> prime_powers(std::int64_t n) {
  std::vector<PrimePower> powers;
  const auto divide_out = [&](std::int64_t prime) {
    unsigned exponent = 0;
    for (; n % prime == 0; n /= prime) ++exponent;
    if (exponent > 0) powers.push_back({prime, exponent});
  };
  divide_out(2);
  divide_out(3);
  for (std::int64_t d = 5; d <= n / d; d += 6) {
    divide_out(d);
    divide_out(d + 2);
  }
  if (n > 1) powers.push_back({n, 1});
  return powers;
}

std::vector<std::int64_t> divisors(std::int64_t n) {
  std::vector<std::int64_t> found{1};
  for (const auto& [prime, exponent] : prime_powers(n)) {
    const std::size_t without = found.size();
    for (std::size_t i = 0; i < without * exponent; ++i) found.push_back(found[i] * prime);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace pimbb_check
