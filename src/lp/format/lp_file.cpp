// Telling the formats apart, and what their readers share.
#include "lp/format/lp_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <stdexcept>

#include "files/source.hpp"
#include "lp/format/lp_format.hpp"
#include "lp/format/mps.hpp"
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
  std::string digits(text);
  std::ranges::replace_if(
      digits, [](char c) { return c == 'd' || c == 'D'; }, 'e');
  try {
    if (digits.find('/') == std::string::npos) return Rational::parse(digits);
  } catch (const std::invalid_argument&) {  // said by the caller, who knows the place
  }
  return std::nullopt;
}

Rational size_of(const Rational& value) { return value.sign() < 0 ? Rational() - value : value; }

}  // namespace

Rational lp_number(const std::string& label, int line, std::string_view text) {
  static const Rational kLargest = Rational::parse("1e100");
  if (const auto value = decimal(text)) {
    const Rational size = size_of(*value);
    if (size.sign() == 0 || (size <= kLargest && size * kLargest >= Rational(1))) return *value;
  }
  refuse_line(
      label, line,
      "found '" + std::string(text) +
          "', allowed are decimal numbers with up to 400 digits, 0 or of a size from 1e-100 "
          "to 1e100");
}

lp::Bound lp_bound(const std::string& label, int line, std::string_view text, Side side) {
  static const Rational kInfinite = Rational::parse("1e20");
  std::string word = lower_case(text);
  const bool negative = word.starts_with('-');
  if (negative || word.starts_with('+')) word.erase(0, 1);
  if (word != "inf" && word != "infinity") {
    const auto value = decimal(text);
    if (!value || size_of(*value) < kInfinite) return lp_number(label, line, text);
  }
  if (negative != (side == Side::lower)) {
    refuse_line(label, line,
                std::string("found ") + (negative ? "an upper" : "a lower") + " bound of " +
                    std::string(text) + ", allowed are numbers and " +
                    (negative ? "infinity" : "-infinity"));
  }
  return std::nullopt;
}

LpFile read_lp_file(const std::string& path) {
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  if (ending != ".mps" && ending != ".lp") {
    const files::Source exists = files::load_file(path);  // a missing file is the better message
    throw InputError(exists.label + ": found the ending '" + ending +
                     "', allowed are .mps (fixed or free MPS) and .lp (LP format)");
  }
  const files::Source source = files::load_file(path);
  return ending == ".mps" ? parse_mps(source.text, source.label)
                          : parse_lp_format(source.text, source.label);
}

}  // namespace pimbb::lp
