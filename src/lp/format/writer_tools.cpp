// Numbers as decimal text, names, comments.
#include <algorithm>
#include <stdexcept>

#include "exact/rational_impl.hpp"
#include "lp/format/reader_tools.hpp"
#include "lp/format/writers.hpp"

namespace pimbb::lp {
namespace {

using boost::multiprecision::cpp_int;

constexpr std::size_t kMostLiteralDigits = 400;  // that Rational::parse takes
constexpr std::size_t kPlainDigits = 20;  // longer fractions have an exponent: cbc reads 23 digits
                                          // behind the point, and 30 in front of an exponent

[[noreturn]] void refuse(const Rational& value, const char* why) {
  throw std::invalid_argument("the number " + value.to_string() + " of a program " + why);
}

/// How often `prime` divides `value`, which is divided by it as often.
unsigned take_factor(cpp_int& value, unsigned prime) {
  unsigned count = 0;
  for (; value % prime == 0; ++count) value /= prime;
  return count;
}

/// n / d with d = 2^a 5^b is an integer over 10^max(a, b): 0.375, or 375e-3 if that is long.
std::string fraction_text(const Rational& value) {
  const auto& exact = value.impl().value;
  const cpp_int denominator = boost::multiprecision::denominator(exact);
  cpp_int rest = denominator;
  const unsigned twos = take_factor(rest, 2);
  const unsigned digits = std::max(twos, take_factor(rest, 5));
  if (rest != 1) refuse(value, "has no finite decimal expansion");
  std::string text = cpp_int(abs(numerator(exact)) * pow(cpp_int(10), digits) / denominator).str();
  if (std::max<std::size_t>(text.size(), digits) > kMostLiteralDigits) {
    refuse(value, "has too many digits for its readers");
  }
  if (std::max<std::size_t>(text.size(), digits) > kPlainDigits) {
    text += "e-" + std::to_string(digits);
  } else {
    if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
    text.insert(text.size() - digits, ".");
  }
  return (value.sign() < 0 ? "-" : "") + text;
}

}  // namespace

std::string decimal_text(const Rational& value) {
  if (value.is_integer()) {
    if (const auto small = value.in_units(1)) return std::to_string(*small);
  }
  if (!is_readable(value)) refuse(value, "is too large or too small for its readers");
  return value.is_integer() ? value.to_string() : fraction_text(value);
}

std::string bound_text(const Rational& value) {
  if (reads_as_infinite(value)) refuse(value, "would be taken for an infinite bound");
  return decimal_text(value);
}

void check_names(std::vector<std::string_view> names, bool (*valid)(std::string_view)) {
  const auto refuse = [](std::string_view name, const char* why) {
    throw std::invalid_argument("the name '" + std::string(name) + "' " + why);
  };
  for (const std::string_view name : names) {
    if (!valid(name)) refuse(name, "cannot be written in this format");
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) refuse(*twice, "stands for two parts of a program");
}

void print_remarks(TextBuffer& out, const MixedIntegerProgram& program, std::string_view mark) {
  for (std::string remark : program.remarks) {
    // A remark may hold names from files: nothing in it may start a new line or be unprintable.
    std::ranges::replace_if(
        remark, [](char c) { return c < ' ' || c > '~'; }, '?');
    print(out, "{} {}\n", mark, remark);
  }
}

}  // namespace pimbb::lp
