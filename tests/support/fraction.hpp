// An exact fraction for the oracle, small and checked.
//
// The library's Rational is itself under test and made for arbitrary size; the oracle evaluates
// millions of tiny mappings. So it has its own: two 128-bit integers, reduced only when they grow,
// and an exception instead of a wrapped product.
#pragma once

#include <compare>
#include <ostream>
#include <stdexcept>
#include <string>

#include "pimbb/rational.hpp"

namespace oracle {

__extension__ using Wide = __int128;

class Fraction {
 public:
  Fraction() = default;
  Fraction(std::int64_t value) : num_(value) {}  // NOLINT: integers are fractions
  Fraction(int value) : num_(value) {}           // NOLINT
  explicit Fraction(const pimbb::Rational& value);

  friend Fraction operator+(const Fraction& a, const Fraction& b) {
    if (a.den_ == b.den_) return make(plus(a.num_, b.num_), a.den_);
    return make(plus(times(a.num_, b.den_), times(b.num_, a.den_)), times(a.den_, b.den_));
  }
  friend Fraction operator-(const Fraction& a, const Fraction& b) { return a + Fraction(-1) * b; }
  friend Fraction operator*(const Fraction& a, const Fraction& b) {
    return make(times(a.num_, b.num_), times(a.den_, b.den_));
  }
  friend Fraction operator/(const Fraction& a, const Fraction& b) {
    if (b.num_ == 0) throw std::domain_error("fraction divided by zero");
    const Wide sign = b.num_ < 0 ? -1 : 1;
    return make(times(a.num_, sign * b.den_), times(a.den_, sign * b.num_));
  }
  Fraction& operator+=(const Fraction& b) { return *this = *this + b; }
  Fraction& operator*=(const Fraction& b) { return *this = *this * b; }

  friend bool operator==(const Fraction& a, const Fraction& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Fraction& a, const Fraction& b) {
    return times(a.num_, b.den_) <=> times(b.num_, a.den_);
  }

  /// "p/q" in lowest terms, or "p".
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] pimbb::Rational to_rational() const { return pimbb::Rational::parse(to_string()); }
  [[nodiscard]] double to_double() const { return to_rational().to_double(); }

 private:
  static Wide plus(Wide a, Wide b) {
    Wide sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("fraction sum");
    return sum;
  }
  static Wide times(Wide a, Wide b) {
    Wide product = 0;
    if (__builtin_mul_overflow(a, b, &product)) throw std::overflow_error("fraction product");
    return product;
  }
  static Fraction make(Wide num, Wide den) {
    Fraction f;
    f.num_ = num;
    f.den_ = den;
    constexpr Wide kSmall = Wide{1} << 40;
    if (num > kSmall || num < -kSmall || den > kSmall) f.reduce();
    return f;
  }
  void reduce();

  Wide num_ = 0;
  Wide den_ = 1;  // > 0
};

/// How the test framework prints one.
inline std::ostream& operator<<(std::ostream& out, const Fraction& f) {
  return out << f.to_string();
}

inline const Fraction& max(const Fraction& a, const Fraction& b) { return a < b ? b : a; }
inline const Fraction& min(const Fraction& a, const Fraction& b) { return b < a ? b : a; }

}  // namespace oracle
