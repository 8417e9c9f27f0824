// Numbers from digits, and rational numbers from their residues.
#include "lp/padic_digits.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "lp/modular.hpp"

namespace pimbb::lp {
namespace {

constexpr int kFewDigits = 8;  // summed one by one

/// Remainders of least size modulo one number m of b bits, by two multiplications instead of a
/// division (Barrett 1986): with an excess of h bits and i = floor(2^(b+h) / m), the quotient of a
/// number below 2^(b+h) is floor(floor(v / 2^(b-1)) i / 2^(h+1)), or that plus 1 or 2.
class Remainder {
 public:
  /// For numbers of twice as many bits as `modulus`.
  explicit Remainder(const Integer& modulus)
      : modulus_(modulus),
        half_(modulus >> 1),
        bits_(static_cast<unsigned>(msb(modulus)) + 1),
        excess_(bits_ + 2),
        inverse_((Integer(1) << (bits_ + excess_)) / modulus) {}

  [[nodiscard]] Integer operator()(Integer value) const {
    const bool negative = value < 0;
    if (negative) value = -value;
    assert(value.is_zero() || msb(value) < bits_ + excess_);
    if (value > half_) {
      const Integer quotient = ((value >> (bits_ - 1)) * inverse_) >> (excess_ + 1);
      value -= quotient * modulus_;
      while (value > half_) value -= modulus_;
    }
    if (negative) value = -value;
    return value;
  }

 private:
  Integer modulus_;
  Integer half_;
  unsigned bits_;
  unsigned excess_;
  Integer inverse_;
};

struct Fraction {
  Integer numerator;
  Integer denominator;
};

/// n / d = value modulo `modulus` with |n| <= limit, by the extended Euclidean algorithm stopped
/// half way (Wang 1981).
Fraction fraction_of(const Integer& value, const Integer& modulus, const Integer& limit) {
  Integer a = modulus;
  Integer b = value < 0 ? Integer(value + modulus) : value;
  Integer s = 0;
  Integer t = 1;
  Integer quotient;
  while (b > limit) {
    quotient = a / b;
    a -= quotient * b;
    s -= quotient * t;
    a.swap(b);
    s.swap(t);
  }
  if (t < 0) return {-b, -t};
  return {b, t};
}

}  // namespace

void PadicDigits::push(std::vector<std::int64_t> digit) {
  assert(digit.size() == size_);
  digits_.push_back(std::move(digit));
}

/// p to the power `exponent`; extends powers_ to all powers of two up to it.
Integer PadicDigits::power(int exponent) {
  Integer out = 1;
  for (unsigned bit = 0; exponent >> bit != 0; ++bit) {
    while (powers_.size() <= bit) {
      powers_.push_back(powers_.empty() ? Integer(Modular::kPrime)
                                        : Integer(powers_.back() * powers_.back()));
    }
    if ((exponent >> bit) & 1) out *= powers_[bit];
  }
  return out;
}

/// The sum of the digits from `first` to before `last`, the first one being of weight 1. The upper
/// part is multiplied by a power of p that has about as many digits.
Integer PadicDigits::number(std::size_t entry, int first, int last) const {
  if (last - first <= kFewDigits) {
    Integer out = 0;
    for (int k = last - 1; k >= first; --k) {
      if (!out.is_zero()) out *= Modular::kPrime;
      out += digits_[k][entry];
    }
    return out;
  }
  const auto low = std::bit_floor(static_cast<unsigned>(last - first - 1));
  const int middle = first + static_cast<int>(low);
  Integer out = number(entry, middle, last);
  if (!out.is_zero()) out *= powers_[static_cast<std::size_t>(std::countr_zero(low))];
  out += number(entry, first, middle);
  return out;
}

std::optional<ExactVector> PadicDigits::reconstruct() {
  ExactVector out;
  if (size_ == 0) return out;
  const Integer modulus = power(count());
  const Integer limit = Integer(1) << ((msb(modulus) - 1) / 2);
  // A numerator that is accepted is below p^(count/2): half of the digits give it, and with one
  // more digit a remainder that happens to be as small is as unlikely as a wrong digit.
  const int half = std::min(count(), (count() + 1) / 2 + 1);
  const Remainder remainder(power(half));
  const auto reconstruct_entry = [&](std::size_t entry, Integer& numerator) {
    numerator = remainder(number(entry, 0, half) * out.denominator);
    if (abs(numerator) <= limit) return true;
    numerator = (number(entry, 0, count()) * out.denominator) % modulus;
    const Fraction fraction = fraction_of(numerator, modulus, limit);
    if (fraction.denominator == 0 || fraction.denominator > limit) return false;
    for (Integer& earlier : out.numerators) earlier *= fraction.denominator;
    out.denominator *= fraction.denominator;
    numerator = fraction.numerator;
    return out.denominator <= limit;
  };
  Integer numerator;
  if (!reconstruct_entry(hardest_, numerator)) return std::nullopt;
  for (std::size_t entry = 0; entry < size_; ++entry) {
    if (!reconstruct_entry(entry, numerator)) {
      hardest_ = entry;
      return std::nullopt;
    }
    out.numerators.push_back(numerator);
  }
  return out;
}

}  // namespace pimbb::lp
