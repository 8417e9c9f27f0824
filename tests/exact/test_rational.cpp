// Rational: exact decimals in, shortest exact text and the nearest double out.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "exact/rational_impl.hpp"
#include "pimbb/rational.hpp"

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
using pimbb::Rational;

namespace {

/// Fractions of numbers around which 64 bits are enough, just enough, and no longer enough.
std::vector<Rational> fractions() {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> parts{0,         1,         -1,        6,     -10,    3037000499,
                                        1LL << 32, 1LL << 62, kMost - 1, kMost, -kMost, -kMost - 1};
  std::vector<Rational> all;
  for (const std::int64_t above : parts) {
    for (const std::int64_t below : parts) {
      if (below != 0) all.emplace_back(above, below);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("decimals and fractions are read exactly") {
  CHECK(Rational::parse("0.00056").to_string() == "7/12500");
  CHECK(Rational::parse("1.5e-3").to_string() == "3/2000");
  CHECK(Rational::parse("-12e2").to_string() == "-1200");
  CHECK(Rational::parse("010").to_string() == "10");
  CHECK(Rational::parse("7/21").to_string() == "1/3");
}

TEST_CASE("what is not a number is refused") {
  for (const char* text : {"", "-", ".", "1e", "abc", "1.2.3", "1/0", "1e401", "0x10", "1 "}) {
    CAPTURE(text);
    CHECK_THROWS_AS(Rational::parse(text), std::invalid_argument);
  }
  CHECK_THROWS_AS(Rational(1, 0), std::domain_error);
  CHECK_THROWS_AS(Rational(1) / Rational(), std::domain_error);
}

TEST_CASE("the double is the nearest one") {
  CHECK(Rational(1, 3).to_double() == 1.0 / 3.0);
  CHECK(Rational::parse("0.1").to_double() == 0.1);
  CHECK(Rational::parse("-2050360278140.123").to_double() == -2050360278140.123);
  // 2^53 + 1 lies between two doubles and goes to the even one; a little more goes up.
  CHECK(Rational::parse("9007199254740993").to_double() == 9007199254740992.0);
  CHECK(Rational::parse("9007199254740993.000001").to_double() == 9007199254740994.0);
  CHECK(Rational().to_double() == 0.0);
}

TEST_CASE("numbers around the size up to which 64 bits are enough are read alike") {
  const std::vector<std::pair<std::string, int>> forms{// digits, and how far the point is shifted
                                                       {"999999999999999999", 0},
                                                       {"999999999999999999", -18},
                                                       {"9999999999999999999", 0},
                                                       {"9223372036854775808", -19},
                                                       {"000000000000000000000000012", -3},
                                                       {"12", 16},
                                                       {"12", 17},
                                                       {"5", -18},
                                                       {"5", -19},
                                                       {"25", -99},
                                                       {"25", 99},
                                                       {"0", -99},
                                                       {"1", -100}};
  for (const auto& [digits, shift] : forms) {
    for (const std::size_t point : {std::size_t{0}, digits.size() / 2, digits.size()}) {
      std::string text = digits;
      text.insert(point, ".");
      const int exponent = shift + static_cast<int>(digits.size() - point);
      for (const char* sign : {"", "-", "+"}) {
        CAPTURE(text);
        const auto first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
        cpp_rational expected{cpp_int(digits.substr(first))};
        for (int k = 0; k < std::abs(shift); ++k) shift < 0 ? expected /= 10 : expected *= 10;
        if (*sign == '-') expected = -expected;
        CHECK(Rational::parse(sign + text + "e" + std::to_string(exponent)) ==
              pimbb::make_rational(expected));
      }
    }
  }
  CHECK(Rational::parse("1e+05") == Rational(100000));
  for (const char* text : {"1e+-5", "1e-+5", "1ee5", "1e5 ", "1..2", "1-", "e5", "-.", "1e5e"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(Rational::parse(text), std::invalid_argument);
  }
}

TEST_CASE("as many digits as are read, and no more") {
  const std::string digits(400, '7');
  CHECK(Rational::parse(digits).to_string() == digits);
  CHECK(Rational::parse("0." + digits.substr(1)) * Rational::parse("1e399") ==
        Rational::parse(digits.substr(1)));
  CHECK_THROWS_AS(Rational::parse(digits + "7"), std::invalid_argument);
  CHECK_THROWS_AS(Rational::parse("0." + digits), std::invalid_argument);
  CHECK(Rational::parse("1e400") / Rational::parse("1e399") == Rational(10));
  CHECK(Rational::parse("1e-0400") * Rational::parse("1E+400") == Rational(1));
  for (const char* text :
       {"1e401", "1e-401", "1e00001", "1e+", "1e 1", "1.e1.", "--1", "1/", "/2"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(Rational::parse(text), std::invalid_argument);
  }
  CHECK(Rational::parse("+.5") == Rational(1, 2));
  CHECK(Rational::parse("-5.") == Rational(-5));
  CHECK(Rational::parse("-0").sign() == 0);
  CHECK(Rational::parse("-1.5/-4.5e1").to_string() == "1/30");
}

namespace {

cpp_rational exactly(double value) { return cpp_rational(value); }

/// Whether no double is nearer to `value` than `d`, which is even if another one is as near.
bool is_nearest(double d, const cpp_rational& value) {
  for (const double limit : {-HUGE_VAL, HUGE_VAL}) {
    const double other = std::nextafter(d, limit);
    const cpp_rational own = abs(exactly(d) - value);
    const cpp_rational others = abs(exactly(other) - value);
    if (others < own) return false;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &d, sizeof bits);
    if (others == own && bits % 2 != 0) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("the double is the nearest one: at doubles, between them, and just off the middle") {
  for (const double d : {1.0, 1.5, 0.1, 3.0e15, 9007199254740991.0, 4503599627370497.5, 1e22,
                         1.2345e-200, 7.0e250, 0x1.fffffffffffffp0, 0x1.0000000000001p70}) {
    const cpp_rational from = exactly(d);
    const cpp_rational gap = exactly(std::nextafter(d, HUGE_VAL)) - from;
    for (const int eighths : {0, 1, 3, 4, 5, 7}) {
      for (const int off : {-1, 0, 1}) {
        for (const int sign : {-1, 1}) {
          const cpp_rational value =
              sign * (from + gap * eighths / 8 + gap * off / 1'000'000'000'000);
          const double nearest = pimbb::make_rational(value).to_double();
          CAPTURE(value.str());
          CHECK(is_nearest(nearest, value));
        }
      }
    }
  }
  CHECK(Rational::parse("1e309").to_double() == HUGE_VAL);
  CHECK(Rational::parse("-1e400").to_double() == -HUGE_VAL);
}

TEST_CASE("denominators and units of numbers that fit 63 bits") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(Rational(6, -4).denominator() == 2);
  CHECK(Rational(5).denominator() == 1);
  CHECK(Rational(1, kMost).denominator() == kMost);
  CHECK_FALSE(Rational::parse("1e30").denominator());
  CHECK(Rational(3, 4).in_units(12) == 9);
  CHECK(Rational(-3, 4).in_units(4) == -3);
  CHECK(Rational(kMost).in_units(1) == kMost);
  CHECK(Rational(-kMost).in_units(1) == -kMost);
  CHECK_FALSE(Rational(kMost / 2 + 1).in_units(2));
  CHECK(Rational(kMost / 2).in_units(2) == kMost - 1);
  CHECK_FALSE(Rational::parse("1e30").in_units(1));
}

TEST_CASE("gaps are relative to the value") {
  CHECK(pimbb::relative_gap(Rational(8), Rational(6)) == Rational(1, 4));
  CHECK(pimbb::relative_gap(Rational(3), Rational(3)) == Rational());
  CHECK(pimbb::relative_gap(Rational(), Rational(-1)) == Rational());
  CHECK(pimbb::max(Rational(2), Rational(1)) == Rational(2));
}

TEST_CASE("arithmetic and order") {
  CHECK(Rational(1, 2) + Rational(1, 3) == Rational(5, 6));
  CHECK(Rational(1, 2) - Rational(1, 3) == Rational(1, 6));
  CHECK(Rational(2, 4) == Rational(1, 2));
  CHECK(Rational(1, 3) < Rational(34, 100));
  CHECK(pimbb::max(Rational(1, 3), Rational(1, 2)) == Rational(1, 2));
}

TEST_CASE("small and large numbers compute as Boost's do") {
  for (const Rational& a : fractions()) {
    const cpp_rational x = a.impl().value;
    CHECK(a.sign() == x.sign());
    CHECK(a.is_integer() == (denominator(x) == 1));
    CHECK(a.to_string() == x.str());
    for (const Rational& b : fractions()) {
      CAPTURE(a.to_string());
      CAPTURE(b.to_string());
      const cpp_rational y = b.impl().value;
      REQUIRE((a + b).impl().value == x + y);
      REQUIRE((a - b).impl().value == x - y);
      REQUIRE((a * b).impl().value == x * y);
      if (b.sign() != 0) REQUIRE((a / b).impl().value == x / y);
      REQUIRE((a < b) == (x < y));
      REQUIRE((a == b) == (x == y));
      REQUIRE((a + b) - b == a);  // one number, one form
    }
  }
}

TEST_CASE("the double of a large integer is the nearest one") {
  for (const Rational& a : fractions()) {
    if (a.is_integer()) CHECK(a.to_double() == static_cast<double>(numerator(a.impl().value)));
  }
}
