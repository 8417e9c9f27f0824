// Rational: exact decimals in, shortest exact text and the nearest double out.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "exact/rational_impl.hpp"
#include "pimbb/rational.hpp"

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
