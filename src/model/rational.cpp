// Rational numbers over Boost.Multiprecision: parsing, printing, the nearest double.
#include "pimbb/rational.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "model/rational_impl.hpp"

namespace pimbb {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr int kMaxExponent = 400;

[[noreturn]] void reject(std::string_view text) {
  throw std::invalid_argument("'" + std::string(text) + "' is not a decimal number");
}

bool take_sign(std::string_view& text) {
  if (text.empty() || (text.front() != '-' && text.front() != '+')) return false;
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

/// Takes leading digits off `text`, appending them to `digits`; returns how many.
int take_digits(std::string_view& text, std::string& digits) {
  int count = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    digits.push_back(text.front());
    text.remove_prefix(1);
    ++count;
  }
  return count;
}

/// Takes "e-3" off `text`; returns the exponent, 0 if there is none.
int take_exponent(std::string_view& text, std::string_view whole) {
  if (text.empty() || (text.front() != 'e' && text.front() != 'E')) return 0;
  text.remove_prefix(1);
  const bool negative = take_sign(text);
  std::string digits;
  const int count = take_digits(text, digits);
  if (count == 0 || count > 4) reject(whole);
  const int exponent = std::stoi(digits);
  if (exponent > kMaxExponent) reject(whole);
  return negative ? -exponent : exponent;
}

cpp_int from_digits(const std::string& digits) {
  const auto first = digits.find_first_not_of('0');  // a leading 0 would mean octal to Boost
  return first == std::string::npos ? cpp_int(0) : cpp_int(digits.substr(first));
}

cpp_rational parse_decimal(std::string_view text) {
  const std::string_view whole = text;
  const bool negative = take_sign(text);
  std::string digits;
  int count = take_digits(text, digits);
  int fraction = 0;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    fraction = take_digits(text, digits);
    count += fraction;
  }
  if (count == 0 || count > kMaxExponent) reject(whole);
  const int exponent = take_exponent(text, whole) - fraction;
  if (!text.empty()) reject(whole);
  cpp_rational value(from_digits(digits));
  const cpp_int scale = pow(cpp_int(10), static_cast<unsigned>(std::abs(exponent)));
  if (exponent >= 0) {
    value *= scale;
  } else {
    value /= scale;
  }
  return negative ? cpp_rational(-value) : value;
}

const Rational::Impl& zero() {
  static const Rational::Impl impl{cpp_rational(0)};
  return impl;
}

}  // namespace

Rational::Rational(std::int64_t value) : Rational(make_rational(cpp_rational(value))) {}

Rational::Rational(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) throw std::domain_error("a rational with denominator 0");
  *this = make_rational(cpp_rational(numerator) / denominator);
}

Rational Rational::parse(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return make_rational(parse_decimal(text));
  const cpp_rational denominator = parse_decimal(text.substr(slash + 1));
  if (denominator == 0) reject(text);
  return make_rational(parse_decimal(text.substr(0, slash)) / denominator);
}

const Rational::Impl& Rational::impl() const { return impl_ ? *impl_ : zero(); }

std::string Rational::to_string() const { return impl().value.str(); }

bool Rational::is_integer() const { return denominator(impl().value) == 1; }

int Rational::sign() const { return impl().value.sign(); }

double Rational::to_double() const {
  // Scale so that the quotient has at least 64 significant bits, keep what the division drops as a
  // sticky bit, and let the hardware round the 64 bits once. Enough for the range of doubles that
  // are not subnormal; below it the value is rounded twice, which no figure here comes near.
  const cpp_rational& value = impl().value;
  if (value == 0) return 0.0;
  cpp_int num = abs(numerator(value));
  const cpp_int den = denominator(value);
  if (den == 1 && msb(num) < 53) {  // the common case of an integer that a double can hold
    const auto magnitude = static_cast<double>(static_cast<std::int64_t>(num));
    return value.sign() < 0 ? -magnitude : magnitude;
  }
  const int shift = 66 - (static_cast<int>(msb(num)) - static_cast<int>(msb(den)));
  cpp_int scaled_den = den;
  if (shift >= 0) {
    num <<= static_cast<unsigned>(shift);
  } else {
    scaled_den <<= static_cast<unsigned>(-shift);
  }
  cpp_int quotient;
  cpp_int remainder;
  divide_qr(num, scaled_den, quotient, remainder);
  const unsigned drop = static_cast<unsigned>(msb(quotient)) - 63U;
  const bool sticky = remainder != 0 || (quotient & ((cpp_int(1) << drop) - 1)) != 0;
  auto bits = static_cast<std::uint64_t>(quotient >> drop);
  if (sticky) bits |= 1U;
  const double magnitude = std::ldexp(static_cast<double>(bits), static_cast<int>(drop) - shift);
  return value.sign() < 0 ? -magnitude : magnitude;
}

Rational& Rational::operator+=(const Rational& other) {
  return *this = make_rational(impl().value + other.impl().value);
}
Rational& Rational::operator-=(const Rational& other) {
  return *this = make_rational(impl().value - other.impl().value);
}
Rational& Rational::operator*=(const Rational& other) {
  return *this = make_rational(impl().value * other.impl().value);
}
Rational& Rational::operator/=(const Rational& other) {
  if (other.sign() == 0) throw std::domain_error("division of a rational by 0");
  return *this = make_rational(impl().value / other.impl().value);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  const int order = a.impl().value.compare(b.impl().value);
  return order <=> 0;
}

Rational max(const Rational& a, const Rational& b) { return a < b ? b : a; }

}  // namespace pimbb
