// Integers modulo the prime p = 2^61 - 1, for exact solving (exact_solve.hpp): p is a Mersenne
// prime, so that a product of 122 bits is reduced by one shift and one addition.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>

#include "exact/int128.hpp"

namespace pimbb::lp {

class Modular {
 public:
  static constexpr std::int64_t kPrime = (std::int64_t{1} << 61) - 1;

  constexpr Modular() = default;
  /// `value` must be in 0 .. p-1.
  constexpr explicit Modular(std::int64_t value) : value_(value) {
    assert(0 <= value && value < kPrime);
  }

  [[nodiscard]] constexpr std::int64_t value() const { return value_; }
  /// The representative of least absolute value.
  [[nodiscard]] constexpr std::int64_t balanced() const {
    return value_ > kPrime / 2 ? value_ - kPrime : value_;
  }

  friend constexpr bool operator==(Modular, Modular) = default;
  friend constexpr Modular operator*(Modular a, Modular b) {
    const auto product = static_cast<UInt128>(a.value_) * b.value_;
    auto sum = static_cast<std::int64_t>(product & static_cast<UInt128>(kPrime)) +
               static_cast<std::int64_t>(product >> 61);
    return Modular(sum >= kPrime ? sum - kPrime : sum);
  }
  friend constexpr Modular operator-(Modular a, Modular b) {
    const std::int64_t difference = a.value_ - b.value_;
    return Modular(difference < 0 ? difference + kPrime : difference);
  }
  Modular& operator-=(Modular other) { return *this = *this - other; }
  Modular& operator*=(Modular other) { return *this = *this * other; }
  /// By Fermat; undefined for a zero divisor.
  friend constexpr Modular operator/(Modular a, Modular b) {
    assert(b != Modular());
    Modular inverse(1);
    for (std::int64_t exponent = kPrime - 2; exponent > 0; exponent >>= 1) {
      if (exponent & 1) inverse = inverse * b;
      b = b * b;
    }
    return a * inverse;
  }
  Modular& operator/=(Modular other) { return *this = *this / other; }

 private:
  std::int64_t value_ = 0;
};

/// The form in which a pivot is stored so that dividing by it is fast: modulo p, its inverse.
inline double divisor(double pivot) { return pivot; }
inline Modular divisor(Modular pivot) { return Modular(1) / pivot; }
inline double divided(double value, double divisor) { return value / divisor; }
inline Modular divided(Modular value, Modular divisor) { return value * divisor; }

/// The size of a pivot candidate: modulo p, all non-zeros are equally good.
inline double magnitude(double value) { return std::fabs(value); }
inline double magnitude(Modular value) { return value == Modular() ? 0.0 : 1.0; }

}  // namespace pimbb::lp
