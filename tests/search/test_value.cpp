// Values, and the integers that stand for them.
#include <doctest/doctest.h>

#include <random>

#include "search/value.hpp"
#include "support/cases.hpp"

using pimbb::Int128;
using pimbb::Rational;
using pimbb::search::kInfiniteInteger;
using pimbb::search::Value;
namespace search = pimbb::search;

namespace {

Value value(const Rational& first, const Rational& second) {
  return Value(std::vector<Rational>{first, second});
}

}  // namespace

TEST_CASE("integers add and compare as their values do") {
  std::mt19937_64 random(3);
  const auto below = [&](std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random);
  };
  for (std::size_t k = 0; k < testkit::cases(200); ++k) {
    const std::int64_t size = std::int64_t{1} << below(40);
    std::vector<Value> values;
    search::Packing packing(2, 8);
    for (int n = 0; n < 8; ++n) {
      values.push_back(value(Rational(below(size), 1 + below(12)), Rational(below(4), 8)));
      REQUIRE(packing.admit(values.back()));
    }
    Value sum = values[0];
    Int128 integer = *packing.integer(values[0]);
    for (std::size_t n = 1; n < 8; ++n) {
      REQUIRE((values[n] < values[n - 1]) ==
              (*packing.integer(values[n]) < *packing.integer(values[n - 1])));
      sum += values[n];
      integer += *packing.integer(values[n]);
      REQUIRE(integer < kInfiniteInteger);
      REQUIRE(packing.value(integer) == sum);
    }
  }
}

TEST_CASE("a value that needs a finer unit or more room has no integer until it is admitted") {
  search::Packing packing(2, 4);
  REQUIRE(packing.admit(value(3, Rational(1, 2))));
  CHECK(packing.integer(value(6, 1)));  // twice as large
  CHECK(!packing.integer(value(7, 1)));
  CHECK(!packing.integer(value(1, Rational(1, 3))));
  REQUIRE(packing.admit(value(7, Rational(1, 3))));
  CHECK(packing.value(*packing.integer(value(7, Rational(1, 3)))) == value(7, Rational(1, 3)));
  CHECK(packing.integer(Value()) == kInfiniteInteger);
  CHECK(packing.value(kInfiniteInteger).infinite());
}

TEST_CASE("numbers beyond 64 bits have integers; what needs more than there is has none") {
  const Rational large = Rational::parse("1e22") + 1;
  search::Packing packing(1, 16);
  const Value one(std::vector<Rational>{large});
  REQUIRE(packing.admit(one));
  CHECK(packing.value(*packing.integer(one)) == one);
  const Value fine(std::vector<Rational>{large / 7});
  CHECK(!packing.integer(fine));
  REQUIRE(packing.admit(fine));
  CHECK(packing.value(*packing.integer(fine)) == fine);
  CHECK(!search::Packing(1, 16).admit(Value(std::vector<Rational>{Rational::parse("1e38")})));
  CHECK(!search::Packing(1, 16).admit(Value(std::vector<Rational>{Rational::parse("1e-30")})));
  CHECK(!search::Packing(1, 16).admit(Value(std::vector<Rational>{-1})));
  CHECK(!search::Packing(2, 16).admit(value(large, large)));
}
