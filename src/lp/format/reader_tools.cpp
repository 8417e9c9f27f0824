// Exact numbers from text, and messages with a place.
#include "lp/format/reader_tools.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "pimbb/error.hpp"

namespace pimbb::lp {

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

void refuse_line(const std::string& label, int line, const std::string& what) {
  throw InputError(label + ":" + std::to_string(line) + ": " + what);
}

namespace {

/// A decimal number of any size, perhaps with a Fortran exponent.
std::optional<Rational> decimal(std::string_view text) {
  try {
    if (text.find_first_of("dD/") == std::string_view::npos) return Rational::parse(text);
    std::string digits(text);
    std::ranges::replace_if(
        digits, [](char c) { return c == 'd' || c == 'D'; }, 'e');
    if (digits.find('/') == std::string::npos) return Rational::parse(digits);
  } catch (const std::invalid_argument&) {  // said by the caller, who knows the place
  }
  return std::nullopt;
}

Rational size_of(const Rational& value) { return value.sign() < 0 ? Rational() - value : value; }

}  // namespace

bool is_readable(const Rational& value) {
  if (value.denominator()) return true;  // 2^63 < 1e100
  static const Rational kLargest = Rational::parse("1e100");
  const Rational size = size_of(value);
  return size.sign() == 0 || (size <= kLargest && size * kLargest >= Rational(1));
}

bool reads_as_infinite(const Rational& value) {
  if (value.denominator()) return false;  // 2^63 < 1e20
  static const Rational kInfinite = Rational::parse("1e20");
  return size_of(value) >= kInfinite;
}

Rational lp_number(const std::string& label, int line, std::string_view text) {
  const auto value = decimal(text);
  if (value && is_readable(*value)) return *value;
  refuse_line(
      label, line,
      "found '" + std::string(text) +
          "', allowed are decimal numbers with up to 400 digits, 0 or of a size from 1e-100 "
          "to 1e100");
}

Bound lp_bound(const std::string& label, int line, std::string_view text, Side side) {
  std::string word = lower_case(text);
  const bool negative = word.starts_with('-');
  if (negative || word.starts_with('+')) word.erase(0, 1);
  if (word != "inf" && word != "infinity") {
    const auto value = decimal(text);
    if (!value || !reads_as_infinite(*value)) return lp_number(label, line, text);
  }
  if (negative != (side == Side::lower)) {
    refuse_line(label, line,
                std::string("found ") + (negative ? "an upper" : "a lower") + " bound of " +
                    std::string(text) + ", allowed are numbers and " +
                    (negative ? "infinity" : "-infinity"));
  }
  return std::nullopt;
}

}  // namespace pimbb::lp
