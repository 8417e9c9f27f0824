// Quotients of powers of two.
#include "exact/rounding.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "exact/rational_impl.hpp"

namespace pimbb {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

Rational rounded(const Rational& value, unsigned digits, bool up) {
  assert(value.sign() >= 0);
  const cpp_rational exact = value.impl().value;
  const cpp_int above = numerator(exact) << digits;
  const cpp_int below = denominator(exact);
  const cpp_int count = (up ? cpp_int(above + below - 1) : above) / below;
  return make_rational(cpp_rational(count, cpp_int(1) << digits));
}

}  // namespace

unsigned binary_digits(double most) {
  constexpr int kDigits = 40;
  if (!(most >= 1)) return kDigits;
  return static_cast<unsigned>(std::clamp(kDigits - std::ilogb(most), 0, kDigits));
}

Rational rounded_down(const Rational& value, unsigned digits) {
  return rounded(value, digits, false);
}
Rational rounded_up(const Rational& value, unsigned digits) { return rounded(value, digits, true); }
Rational few_digits_above(const Rational& value) {
  return rounded_up(value, binary_digits(value.to_double()));
}

}  // namespace pimbb
