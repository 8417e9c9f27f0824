// Rational numbers: small ones with 64-bit parts, larger ones over Boost.Multiprecision; parsing,
// printing, the nearest double.
#include "pimbb/rational.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "exact/int128.hpp"
#include "exact/rational_impl.hpp"

namespace pimbb {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr int kMaxExponent = 400;

[[noreturn]] void reject(std::string_view text) {
  throw std::invalid_argument("'" + std::string(text) + "' is not a decimal number");
}

bool take_sign(std::string_view& text) {
  if (text.empty() || (text.front() != '-' && text.front() != '+')) return false;
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

/// Takes leading digits off `text`, appending them to `digits`; returns how many.
int take_digits(std::string_view& text, std::string& digits) {
  int count = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    digits.push_back(text.front());
    text.remove_prefix(1);
    ++count;
  }
  return count;
}

/// Takes "e-3" off `text`; returns the exponent, 0 if there is none.
int take_exponent(std::string_view& text, std::string_view whole) {
  if (text.empty() || (text.front() != 'e' && text.front() != 'E')) return 0;
  text.remove_prefix(1);
  const bool negative = take_sign(text);
  std::string digits;
  const int count = take_digits(text, digits);
  if (count == 0 || count > 4) reject(whole);
  const int exponent = std::stoi(digits);
  if (exponent > kMaxExponent) reject(whole);
  return negative ? -exponent : exponent;
}

cpp_int from_digits(const std::string& digits) {
  const auto first = digits.find_first_not_of('0');  // a leading 0 would mean octal to Boost
  return first == std::string::npos ? cpp_int(0) : cpp_int(digits.substr(first));
}

cpp_rational parse_decimal(std::string_view text) {
  const std::string_view whole = text;
  const bool negative = take_sign(text);
  std::string digits;
  int count = take_digits(text, digits);
  int fraction = 0;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    fraction = take_digits(text, digits);
    count += fraction;
  }
  if (count == 0 || count > kMaxExponent) reject(whole);
  const int exponent = take_exponent(text, whole) - fraction;
  if (!text.empty()) reject(whole);
  cpp_rational value(from_digits(digits));
  const cpp_int scale = pow(cpp_int(10), static_cast<unsigned>(std::abs(exponent)));
  if (exponent >= 0) {
    value *= scale;
  } else {
    value /= scale;
  }
  return negative ? cpp_rational(-value) : value;
}

constexpr int kShort = 18;  // 10^18 < 2^63

constexpr std::array<std::int64_t, kShort + 1> kPowersOfTen = [] {
  std::array<std::int64_t, kShort + 1> powers{1};
  for (std::size_t k = 1; k < powers.size(); ++k) powers.at(k) = 10 * powers.at(k - 1);
  return powers;
}();

/// A decimal number's digits as one integer, and how many of them stand behind its point.
struct ShortDecimal {
  std::uint64_t digits = 0;
  int count = 0;
  int fraction = 0;
};

/// Takes digits, perhaps with a point, off `text`; it may leave some if there are more than kShort.
ShortDecimal take_short_decimal(std::string_view& text) {
  ShortDecimal out;
  bool has_point = false;
  while (!text.empty() && out.count <= kShort) {
    const char c = text.front();
    if (c == '.' && !has_point) {
      has_point = true;
    } else if (c >= '0' && c <= '9') {
      out.digits = 10 * out.digits + static_cast<std::uint64_t>(c - '0');
      ++out.count;
      out.fraction += has_point ? 1 : 0;
    } else {
      break;
    }
    text.remove_prefix(1);
  }
  return out;
}

/// The exponent that the whole of `text` is; 0 if it is empty, nothing unless it is well formed
/// and small.
std::optional<int> short_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  const bool negative = take_sign(text);
  unsigned exponent = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, exponent);
  if (text.size() > 2 || error != std::errc() || stop != end) return std::nullopt;
  return negative ? -static_cast<int>(exponent) : static_cast<int>(exponent);
}

/// What parse_decimal() gives for numbers with 63 bits above and below, as nearly all files have:
/// ten times as fast. Nothing for others, malformed ones among them.
std::optional<Rational> parse_short(std::string_view text) {
  const bool negative = take_sign(text);
  const ShortDecimal decimal = take_short_decimal(text);
  const std::optional<int> own = short_exponent(text);
  if (decimal.count == 0 || decimal.count > kShort || !own) return std::nullopt;
  const int exponent = *own - decimal.fraction;
  if (exponent < -kShort || exponent + decimal.count > kShort) return std::nullopt;
  auto digits = static_cast<std::int64_t>(decimal.digits);
  if (negative) digits = -digits;
  const std::int64_t scale = kPowersOfTen.at(static_cast<std::size_t>(std::abs(exponent)));
  return exponent < 0 ? Rational(digits, scale) : Rational(digits * scale);
}

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

bool fits(Int128 value) { return -kLargest <= value && value <= kLargest; }
bool fits(const cpp_int& value) { return abs(value) <= kLargest; }

}  // namespace

Rational::Rational(std::int64_t value) {
  if (fits(Int128{value})) {
    numerator_ = value;
  } else {
    *this = make_rational(cpp_rational(value));
  }
}

Rational::Rational(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) throw std::domain_error("a rational with denominator 0");
  *this = Rational(numerator) / Rational(denominator);
}

Rational::Rational(const Impl& impl) {
  const cpp_int above = numerator(impl.value);
  const cpp_int below = boost::multiprecision::denominator(impl.value);
  if (fits(above) && fits(below)) {
    numerator_ = static_cast<std::int64_t>(above);
    denominator_ = static_cast<std::int64_t>(below);
  } else {
    large_ = std::make_shared<const Impl>(impl);
  }
  assert(is_normal());
}

bool Rational::is_normal() const {
  if (large_) {
    const cpp_int above = numerator(large_->value);
    const cpp_int below = boost::multiprecision::denominator(large_->value);
    return below > 0 && gcd(above, below) == 1 && (!fits(above) || !fits(below));
  }
  return denominator_ > 0 && fits(Int128{numerator_}) && std::gcd(numerator_, denominator_) == 1;
}

Rational Rational::parse(std::string_view text) {
  if (const std::optional<Rational> value = parse_short(text)) return *value;
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return make_rational(parse_decimal(text));
  const cpp_rational denominator = parse_decimal(text.substr(slash + 1));
  if (denominator == 0) reject(text);
  return make_rational(parse_decimal(text.substr(0, slash)) / denominator);
}

Rational::Impl Rational::impl() const {
  return large_ ? *large_ : Impl{cpp_rational(cpp_int(numerator_), cpp_int(denominator_))};
}

std::string Rational::to_string() const { return impl().value.str(); }

bool Rational::is_integer() const {
  return large_ ? boost::multiprecision::denominator(large_->value) == 1 : denominator_ == 1;
}

int Rational::sign() const {
  return large_ ? large_->value.sign() : (numerator_ > 0 ? 1 : 0) - (numerator_ < 0 ? 1 : 0);
}

std::optional<std::int64_t> Rational::denominator() const {
  return large_ ? std::nullopt : std::optional(denominator_);
}

std::optional<std::int64_t> Rational::in_units(std::int64_t unit) const {
  if (large_) return std::nullopt;
  assert(unit % denominator_ == 0);
  const Int128 count = Int128{numerator_} * (unit / denominator_);
  return fits(count) ? std::optional(static_cast<std::int64_t>(count)) : std::nullopt;
}

double Rational::to_double() const {
  // Scale so that the quotient has at least 64 significant bits, keep what the division drops as a
  // sticky bit, and let the hardware round the 64 bits once. Enough for the range of doubles that
  // are not subnormal; below it the value is rounded twice, which no figure here comes near.
  if (!large_ && denominator_ == 1) return static_cast<double>(numerator_);  // rounds to nearest
  constexpr std::int64_t kExact = std::int64_t{1} << 53;  // up to here the quotient of two doubles
  if (!large_ && std::abs(numerator_) <= kExact && denominator_ <= kExact) {
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  }
  const cpp_rational value = impl().value;
  cpp_int num = abs(numerator(value));
  const cpp_int den = boost::multiprecision::denominator(value);
  const int shift = 66 - (static_cast<int>(msb(num)) - static_cast<int>(msb(den)));
  cpp_int scaled_den = den;
  if (shift >= 0) {
    num <<= static_cast<unsigned>(shift);
  } else {
    scaled_den <<= static_cast<unsigned>(-shift);
  }
  cpp_int quotient;
  cpp_int remainder;
  divide_qr(num, scaled_den, quotient, remainder);
  const unsigned drop = static_cast<unsigned>(msb(quotient)) - 63U;
  const bool sticky = remainder != 0 || (quotient & ((cpp_int(1) << drop) - 1)) != 0;
  auto bits = static_cast<std::uint64_t>(quotient >> drop);
  if (sticky) bits |= 1U;
  const double magnitude = std::ldexp(static_cast<double>(bits), static_cast<int>(drop) - shift);
  return value.sign() < 0 ? -magnitude : magnitude;
}

Rational& Rational::operator+=(const Rational& other) {
  if (large_ || other.large_) return *this = make_rational(impl().value + other.impl().value);
  // a/b + c/d = (a d/g + c b/g) / (b d/g), g = gcd(b, d); what still cancels divides g (Knuth).
  const std::int64_t common = std::gcd(denominator_, other.denominator_);
  const Int128 above = Int128{numerator_} * (other.denominator_ / common) +
                       Int128{other.numerator_} * (denominator_ / common);
  const std::int64_t cancels =
      common == 1 ? 1 : std::gcd(static_cast<std::int64_t>(above % common), common);
  const Int128 below = Int128{denominator_ / common} * (other.denominator_ / cancels);
  if (!fits(above / cancels) || !fits(below)) {
    return *this = make_rational(impl().value + other.impl().value);
  }
  numerator_ = static_cast<std::int64_t>(above / cancels);
  denominator_ = static_cast<std::int64_t>(below);
  assert(is_normal());
  return *this;
}

Rational& Rational::operator-=(const Rational& other) {
  if (other.large_) return *this = make_rational(impl().value - other.impl().value);
  Rational negative = other;
  negative.numerator_ = -negative.numerator_;
  return *this += negative;
}

Rational& Rational::operator*=(const Rational& other) {
  if (large_ || other.large_) return *this = make_rational(impl().value * other.impl().value);
  const std::int64_t left = std::gcd(numerator_, other.denominator_);
  const std::int64_t right = std::gcd(other.numerator_, denominator_);
  const Int128 above = Int128{numerator_ / left} * (other.numerator_ / right);
  const Int128 below = Int128{denominator_ / right} * (other.denominator_ / left);
  if (!fits(above) || !fits(below)) {
    return *this = make_rational(impl().value * other.impl().value);
  }
  numerator_ = static_cast<std::int64_t>(above);
  denominator_ = static_cast<std::int64_t>(below);
  assert(is_normal());
  return *this;
}

Rational& Rational::operator/=(const Rational& other) {
  if (other.sign() == 0) throw std::domain_error("division of a rational by 0");
  if (other.large_) return *this = make_rational(impl().value / other.impl().value);
  Rational inverse = other;
  std::swap(inverse.numerator_, inverse.denominator_);
  if (inverse.denominator_ < 0) {
    inverse.numerator_ = -inverse.numerator_;
    inverse.denominator_ = -inverse.denominator_;
  }
  return *this *= inverse;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (a.large_ || b.large_) return a.impl().value.compare(b.impl().value) <=> 0;
  if (a.denominator_ == b.denominator_) return a.numerator_ <=> b.numerator_;
  return Int128{a.numerator_} * b.denominator_ <=> Int128{b.numerator_} * a.denominator_;
}

Rational max(const Rational& a, const Rational& b) { return a < b ? b : a; }

Rational relative_gap(const Rational& value, const Rational& bound) {
  return value.sign() == 0 ? Rational() : (value - bound) / value;
}

}  // namespace pimbb
