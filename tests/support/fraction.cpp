// Reduction and text of the oracle's fractions.
#include "support/fraction.hpp"

#include <algorithm>

namespace oracle {
namespace {

Wide parse_integer(const std::string& text) {
  Wide value = 0;
  const bool negative = text.starts_with('-');
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (c < '0' || c > '9') throw std::invalid_argument("not an integer: " + text);
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

std::string print_integer(Wide value) {
  if (value == 0) return "0";
  std::string digits;
  for (Wide rest = value < 0 ? -value : value; rest != 0; rest /= 10) {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
  }
  if (value < 0) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace

Fraction::Fraction(const pimbb::Rational& value) {
  const std::string text = value.to_string();
  const std::size_t slash = text.find('/');
  num_ = parse_integer(text.substr(0, slash));
  if (slash != std::string::npos) den_ = parse_integer(text.substr(slash + 1));
}

void Fraction::reduce() {
  Wide a = num_ < 0 ? -num_ : num_;
  Wide b = den_;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  num_ /= a;
  den_ /= a;
}

std::string Fraction::to_string() const {
  Fraction lowest = *this;
  lowest.reduce();
  const std::string num = print_integer(lowest.num_);
  return lowest.den_ == 1 ? num : num + "/" + print_integer(lowest.den_);
}

}  // namespace oracle
