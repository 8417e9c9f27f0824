// The constants are what the standard says: the first 32 bits of the fractions of roots of primes.
// A long double has 64 bits, of which three are before the point; a wrong one would spoil every
// digest.
#include "sha256.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace pimbb_check {
namespace {

using Word = std::uint32_t;

struct Constants {
  std::array<Word, 64> round{};
  std::array<Word, 8> start{};

  Constants() {
    const auto fraction = [](long double root) {
      return static_cast<Word>(static_cast<std::uint64_t>(root * 4294967296.0L));
    };
    unsigned prime = 2;
    for (std::size_t i = 0; i < 64; ++prime) {
      unsigned divisor = 2;
      while (prime % divisor != 0) ++divisor;
      if (divisor < prime) continue;
      if (i < 8) start[i] = fraction(std::sqrt(static_cast<long double>(prime)));
      round[i++] = fraction(std::cbrt(static_cast<long double>(prime)));
    }
  }
};

}  // namespace

std::string sha256(std::string text) {
  static const Constants constants;
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(text.size());
  text += '\x80';
  while (text.size() % 64 != 56) text += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift & 255);
  std::array<Word, 8> digest = constants.start;
  for (std::size_t block = 0; block < text.size(); block += 64) {
    std::array<Word, 64> w{};
    for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | (text[block + i] & 255U);
    for (std::size_t i = 16; i < 64; ++i) {
      const Word a = w[i - 15];
      const Word b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
             (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
    }
    std::array<Word, 8> v = digest;
    for (std::size_t i = 0; i < 64; ++i) {
      const Word a = v[0];
      const Word e = v[4];
      const Word t1 = v[7] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                      ((e & v[5]) ^ (~e & v[6])) + constants.round[i] + w[i];
      const Word t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
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
