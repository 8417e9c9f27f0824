// Exact rational numbers, for all values that are read, reported or proved.
//
// Energies, bandwidths and costs are decimal fractions in the files and remain exact: no value that
// pimbb reports has been computed in floating point. Almost all of them are fractions of two 64-bit
// integers. Larger ones are numbers of Boost.Multiprecision, which is not included here because it
// is slow to compile. The inner loops of the search use neither; they use scaled integers.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace pimbb {

class Rational {
 public:
  Rational() = default;          ///< zero
  Rational(std::int64_t value);  // NOLINT(google-explicit-constructor): integers are rationals
  Rational(int value) : numerator_(value) {}  // NOLINT(google-explicit-constructor)
  /// `numerator / denominator`; throws std::domain_error if `denominator` is 0.
  Rational(std::int64_t numerator, std::int64_t denominator);

  /// Reads a decimal number ("0.00056", "-3", "1.5e-3") or a fraction ("7/3"), exactly.
  /// Throws std::invalid_argument if `text` is neither, or has an exponent beyond +-400.
  static Rational parse(std::string_view text);

  /// "p/q" in lowest terms, or "p" for an integer.
  [[nodiscard]] std::string to_string() const;
  /// The nearest double (ties to even; infinity past the largest).
  [[nodiscard]] double to_double() const;
  [[nodiscard]] bool is_integer() const;
  /// -1, 0 or 1.
  [[nodiscard]] int sign() const;
  /// The denominator in lowest terms, > 0; nothing if it or the numerator has more than 63 bits.
  [[nodiscard]] std::optional<std::int64_t> denominator() const;
  /// This number times `unit`, a multiple of denominator(); nothing if it has more than 63 bits.
  [[nodiscard]] std::optional<std::int64_t> in_units(std::int64_t unit) const;

  Rational& operator+=(const Rational& other);
  Rational& operator-=(const Rational& other);
  Rational& operator*=(const Rational& other);
  Rational& operator/=(const Rational& other);  ///< throws std::domain_error on division by 0
  friend Rational operator+(Rational a, const Rational& b) { return a += b; }
  friend Rational operator-(Rational a, const Rational& b) { return a -= b; }
  friend Rational operator*(Rational a, const Rational& b) { return a *= b; }
  friend Rational operator/(Rational a, const Rational& b) { return a /= b; }
  friend bool operator==(const Rational& a, const Rational& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

  struct Impl;  ///< a Boost number; complete only inside the library
  explicit Rational(const Impl& impl);
  [[nodiscard]] Impl impl() const;

 private:
  /// Whether the representation is the only one of its number: for assertions.
  [[nodiscard]] bool is_normal() const;

  /// In lowest terms, the numerator's magnitude below 2^63; not looked at if there is a large one.
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
  std::shared_ptr<const Impl> large_;  // null if the number fits the two integers above
};

Rational max(const Rational& a, const Rational& b);

/// (value - bound) / value; 0 if value is 0.
Rational relative_gap(const Rational& value, const Rational& bound);

}  // namespace pimbb
