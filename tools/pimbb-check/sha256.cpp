// The round constants are derived as the standard defines them: from cube roots of primes.
#include "sha256.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace pimbb_check {
namespace {

using Word = std::uint32_t;
__extension__ using Wide = unsigned __int128;

Word rotate(Word x, int n) { return x >> n | x << (32 - n); }

/// First 32 bits of the fractional part of the cube or square root of n.
Word root_fraction(std::uint64_t n, bool cube) {
  std::uint64_t low = 0;
  std::uint64_t high = std::uint64_t{1} << 37;  // in units of 2^-32
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    // middle^2 <= n * 2^64, or floor(middle^2 / 2^32) * middle <= n * 2^64 (exact for these n)
    const Wide square = static_cast<Wide>(middle) * middle;
    const bool below =
        cube ? square * middle <= static_cast<Wide>(n) << 96 : square <= static_cast<Wide>(n) << 64;
    (below ? low : high) = middle;
  }
  return static_cast<Word>(low);
}

std::vector<std::uint64_t> primes(std::size_t count) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t n = 2; found.size() < count; ++n) {
    bool prime = true;
    for (const std::uint64_t p : found) prime = prime && n % p != 0;
    if (prime) found.push_back(n);
  }
  return found;
}

}  // namespace

std::string sha256(const std::string& text) {
  static const std::vector<std::uint64_t> prime = primes(64);
  std::array<Word, 64> constant{};
  std::array<Word, 8> digest{};
  for (std::size_t i = 0; i < 64; ++i) constant[i] = root_fraction(prime[i], true);
  for (std::size_t i = 0; i < 8; ++i) digest[i] = root_fraction(prime[i], false);

  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  bytes.push_back(0x80);
  while (bytes.size() % 64 != 56) bytes.push_back(0);
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(text.size());
  for (int i = 7; i >= 0; --i) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));

  for (std::size_t block = 0; block < bytes.size(); block += 64) {
    std::array<Word, 64> w{};
    for (std::size_t i = 0; i < 64; ++i) {
      if (i < 16) {
        for (std::size_t b = 0; b < 4; ++b) w[i] = w[i] << 8 | bytes[block + 4 * i + b];
      } else {
        const Word a = w[i - 15];
        const Word b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
      }
    }
    std::array<Word, 8> v = digest;
    for (std::size_t i = 0; i < 64; ++i) {
      const Word e = v[4];
      const Word a = v[0];
      const Word t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                      ((e & v[5]) ^ (~e & v[6])) + constant[i] + w[i];
      const Word t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
      v = {t1 + t2, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
    }
    for (std::size_t i = 0; i < 8; ++i) digest[i] += v[i];
  }
  std::string hex;
  for (const Word word : digest) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 15];
  }
  return hex;
}

}  // namespace pimbb_check
