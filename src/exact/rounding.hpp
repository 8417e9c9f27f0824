// Numbers with few digits near others, for bounds and limits that many sums are made of.
#pragma once

#include "pimbb/rational.hpp"

namespace pimbb {

/// Digits after the binary point with which numbers up to `most` have about 40 in all; none where
/// they have as many before it. most >= 0.
unsigned binary_digits(double most);
/// The nearest multiple of 2^-digits that is no larger, or no smaller. value >= 0.
Rational rounded_down(const Rational& value, unsigned digits);
Rational rounded_up(const Rational& value, unsigned digits);
/// Rounded up to as many digits as a number of this size has. value >= 0.
Rational few_digits_above(const Rational& value);

}  // namespace pimbb
