// Exact numbers: rationals for what is read, checked 128-bit integers for the tree, 256 bits for
// products. Whatever leaves its range ends the check, as does anything else that is not as it must
// be: by a Refusal.
#pragma once

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace pimbb_check {

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const char* otherwise) {
  if (!holds) throw Refusal(otherwise);
}

__extension__ using Int = __int128;
using Big = boost::multiprecision::checked_int256_t;
using boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

inline constexpr Int kInfinity = Int{1} << 126;  ///< above every number that is not refused

inline Int in_range(Int a) {
  require(a > -kInfinity && a < kInfinity, "a number leaves the range of 126 bits");
  return a;
}
inline Int plus(Int a, Int b) { return in_range(in_range(a) + in_range(b)); }
inline Int times(Int a, Int b) {
  constexpr Int small = Int{1} << 62;
  if (a >= 0 && b >= 0 && a < small && b < small) return a * b;
  Int product = 0;
  require(!__builtin_mul_overflow(a, b, &product), "a number leaves the range of 126 bits");
  return in_range(product);
}

inline Int narrow(const cpp_int& a) {
  require(a < cpp_int(kInfinity) && a > -cpp_int(kInfinity), "a number leaves 126 bits");
  return a.convert_to<Int>();
}
/// r * unit, which must be an integer.
inline Int scaled(const Rational& r, const cpp_int& unit) {
  const Rational product = r * unit;
  require(denominator(product) == 1, "a cost is no multiple of its unit");
  return narrow(numerator(product));
}

/// "p" or "p/q" in plain decimal digits.
inline Rational parse_rational(const std::string& text) {
  const auto natural = [](const std::string& digits) {
    const bool plain = !digits.empty() && digits.size() < 2000 &&
                       digits.find_first_not_of("0123456789") == std::string::npos &&
                       (digits == "0" || digits[0] != '0');
    require(plain, "a number is not of the form p or p/q");
    return cpp_int(digits);
  };
  const std::size_t slash = text.find('/');
  const cpp_int p = natural(text.substr(0, slash));
  const cpp_int q = slash == std::string::npos ? cpp_int(1) : natural(text.substr(slash + 1));
  require(q != 0, "a number is divided by zero");
  return Rational(p, q);
}

}  // namespace pimbb_check
