// Rational: exact decimals in, shortest exact text and the nearest double out.
#include <doctest/doctest.h>

#include <stdexcept>

#include "pimbb/rational.hpp"

using pimbb::Rational;

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
