// Numbers, percentages and shapes as people read them.
#include <doctest/doctest.h>

#include <cstdint>

#include "terminal/format.hpp"

using namespace pimbb;
using namespace pimbb::terminal;

TEST_CASE("thousands separators") {
  CHECK(thousands("0") == "0");
  CHECK(thousands("999") == "999");
  CHECK(thousands("1000") == "1,000");
  CHECK(thousands("1806336") == "1,806,336");
  CHECK(thousands("-123456.7891") == "-123,456.7891");
  CHECK(thousands("") == "");
}

TEST_CASE("integers print exactly, however large") {
  CHECK(number(Rational(INT64_MAX)) == "9,223,372,036,854,775,807");
  CHECK(number(Rational(INT64_MAX) * Rational(10)) == "92,233,720,368,547,758,070");
  CHECK(number(std::int64_t{-1234}) == "-1,234");
}

TEST_CASE("other numbers are rounded, the smaller the finer") {
  CHECK(number(Rational(1, 3)) == "0.3333");
  CHECK(number(Rational(5, 2)) == "2.5");
  CHECK(number(Rational(10001, 10)) == "1,000.1");
  CHECK(number(Rational(1000001, 100)) == "10,000");
  CHECK(number(Rational::parse("0.00000123456")) == "1.235e-06");
}

TEST_CASE("a percentage is 0 or 100 only if the share is") {
  CHECK(percent(Rational()) == "0 %");
  CHECK(percent(Rational(1)) == "100 %");
  CHECK(percent(Rational(99999, 100000)) == "99.9 %");
  CHECK(percent(Rational(1, 100000)) == "< 0.1 %");
  CHECK(percent(Rational(5, 6)) == "83.3 %");
}

TEST_CASE("a gap is 0 only if the proof is complete") {
  CHECK(gap(Rational()) == "gap 0");
  CHECK(gap(Rational(1, 1000000)) == "gap < 0.01 %");
  CHECK(gap(Rational(1, 10000)) == "gap 0.01 %");
  CHECK(gap(Rational(32, 1000)) == "gap 3.2 %");
  CHECK(gap(Rational(25, 10000)) == "gap 0.25 %");
  CHECK(gap(Rational(1, 10)) == "gap 10 %");
  CHECK(gap(Rational(9998, 10000)) == "gap > 99.9 %");
  CHECK(gap(Rational(1)) == "gap 100 %");
}

TEST_CASE("bytes and durations") {
  CHECK(bytes(1000) == "1,000 B");
  CHECK(bytes(65536) == "64 KiB");
  CHECK(bytes(std::int64_t{1} << 32) == "4 GiB");
  CHECK(duration(0.0126) == "0.013 s");
  CHECK(duration(59.94) == "59.9 s");
  CHECK(duration(125.9) == "2 min 05 s");
  CHECK(duration(3725) == "1 h 02 min");
}

TEST_CASE("a shape leaves out what is 1") {
  Workload w;
  CHECK(shape(w) == "1");
  w.bounds = {3, 3, 56, 56, 64, 64, 1, 1};
  CHECK(shape(w) == "R3 S3 P56 Q56 C64 K64");
  w.stride_w = w.stride_h = 2;
  CHECK(shape(w) == "R3 S3 P56 Q56 C64 K64 /2");
  w.stride_h = 1;
  w.dilation_w = w.dilation_h = 2;
  CHECK(shape(w) == "R3 S3 P56 Q56 C64 K64 /2x1 dilated 2");
}

TEST_CASE("names cannot steer the terminal") {
  CHECK(printable("a\x1b[31mb\n") == "a?[31mb?");
  CHECK(printable("Größe") == "Größe");
}

TEST_CASE("columns count what is seen") {
  CHECK(columns("Größe") == 5);
  CHECK(columns("\x1b[1;32mproven\x1b[0m") == 6);
  CHECK(columns("\x1b[1") == 0);
  CHECK(pad_left("ö", 3) == "  ö");
  CHECK(pad_right("long", 2) == "long");
}
