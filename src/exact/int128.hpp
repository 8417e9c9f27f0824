// 128-bit integers, and an unsigned 256-bit one for products of two of them.
//
// The search compares costs exactly. Latency and energy are scaled to integers over a common
// denominator and fit 128 bits (checked once, when the scale is chosen); their product, the EDP,
// needs 256 bits. Wide has only the operations that bounds need: product, sum, comparison, and
// conversion to double for display.
#pragma once

#include <cassert>
#include <compare>
#include <cstdint>

namespace pimbb {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

inline double to_double(Int128 value) { return static_cast<double>(value); }

struct Wide {
  UInt128 high = 0;
  UInt128 low = 0;

  /// value >= 0
  static Wide from(Int128 value) {
    assert(value >= 0);
    return {0, static_cast<UInt128>(value)};
  }

  /// a * b, schoolbook on 64-bit halves; a, b >= 0.
  static Wide product(Int128 a, Int128 b) {
    assert(a >= 0 && b >= 0);
    const auto ua = static_cast<UInt128>(a);
    const auto ub = static_cast<UInt128>(b);
    constexpr UInt128 mask = ~std::uint64_t{0};
    const UInt128 a0 = ua & mask;
    const UInt128 a1 = ua >> 64;
    const UInt128 b0 = ub & mask;
    const UInt128 b1 = ub >> 64;
    if (a1 == 0 && b1 == 0) return {0, a0 * b0};
    const UInt128 p00 = a0 * b0;
    const UInt128 p01 = a0 * b1;
    const UInt128 p10 = a1 * b0;
    const UInt128 middle = (p00 >> 64) + (p01 & mask) + (p10 & mask);
    return {a1 * b1 + (p01 >> 64) + (p10 >> 64) + (middle >> 64), (middle << 64) | (p00 & mask)};
  }

  friend Wide operator+(const Wide& a, const Wide& b) {
    const UInt128 sum = a.low + b.low;
    return {a.high + b.high + (sum < a.low ? 1 : 0), sum};
  }

  friend auto operator<=>(const Wide&, const Wide&) = default;

  [[nodiscard]] double to_double() const {
    return static_cast<double>(high) * 0x1p128 + static_cast<double>(low);
  }

  static Wide infinity() { return {~UInt128{0}, ~UInt128{0}}; }
};

}  // namespace pimbb
