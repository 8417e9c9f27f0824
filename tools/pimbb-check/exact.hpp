// Exact numbers: rationals for what is read, checked integers for the tree. Whatever leaves its
// range ends the check, as does anything else that is not as it must be: by a Refusal.
//
// Costs are 62-bit integers where a bound on all of them allows it (prices.hpp), else 126-bit ones,
// so that the product of two always fits the next wider type.
#pragma once

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace pimbb_check {

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(const char* why) { throw Refusal(why); }
inline void require(bool holds, const char* otherwise) {
  if (!holds) [[unlikely]] {
    refuse(otherwise);
  }
}

__extension__ using Int128 = __int128;
using Int256 = boost::multiprecision::checked_int256_t;
using boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;
template <class Int>
using Wider = std::conditional_t<sizeof(Int) == 8, Int128, Int256>;

/// Above every number of this type that is not refused.
template <class Int>
inline constexpr Int kInfinity = Int{1} << (8 * sizeof(Int) - 2);

/// Sum and product of numbers that are not negative.
template <class Int>
Int plus(Int a, Int b) {
  Int sum = 0;
  require(!__builtin_add_overflow(a, b, &sum) && sum < kInfinity<Int>, "a number is out of range");
  return sum;
}
template <class Int>
Int times(Int a, Int b) {
  Int product = 0;
  require(!__builtin_mul_overflow(a, b, &product) && product < kInfinity<Int>,
          "a number is out of range");
  return product;
}
template <class Int>
Int within(Int128 a) {
  require(a < kInfinity<Int>, "a number is out of range");
  return static_cast<Int>(a);
}
template <class Int>
Int narrow(const cpp_int& a) {
  require(a.sign() >= 0, "a number is out of range");
  require(a < cpp_int(kInfinity<Int>), "a number is out of range");
  return a.convert_to<Int>();
}
/// r * unit, which must be an integer.
template <class Int>
Int scaled(const Rational& r, const cpp_int& unit) {
  const Rational product = r * unit;
  require(denominator(product) == 1, "a cost is no multiple of its unit");
  return narrow<Int>(numerator(product));
}

/// "p", or "p/q" in lowest terms, in plain decimal digits.
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
  const Rational value(p, q);
  require(denominator(value) == q && (slash == std::string::npos || q != 1),
          "a fraction is not in lowest terms");
  return value;
}

}  // namespace pimbb_check
