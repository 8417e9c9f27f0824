// Products and sums of 256 bits, against Boost's integers.
#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "exact/int128.hpp"

using boost::multiprecision::cpp_int;
using pimbb::Int128;
using pimbb::UInt128;
using pimbb::Wide;

namespace {

/// Around powers of two, where halves and carries begin.
std::vector<Int128> edges() {
  std::vector<Int128> numbers{0, 1, 2, 3, 1'000'000'007};
  for (const int bits : {31, 32, 63, 64, 65, 96, 126}) {
    for (const int off : {-1, 0, 1}) numbers.push_back((Int128{1} << bits) + off);
  }
  numbers.push_back((((Int128{1} << 62) + 12345) << 64) + (Int128{1} << 63) + 9876543210);
  numbers.push_back(~(Int128{1} << 127));  // the largest
  return numbers;
}

cpp_int big(const Wide& w) { return (cpp_int(w.high) << 128) + cpp_int(w.low); }

}  // namespace

TEST_CASE("wide products, sums and their order are those of large integers") {
  for (const Int128 a : edges()) {
    CHECK(big(Wide::from(a)) == cpp_int(a));
    for (const Int128 b : edges()) {
      const Wide product = Wide::product(a, b);
      CHECK(big(product) == cpp_int(a) * b);
      CHECK(product.to_double() ==
            doctest::Approx((cpp_int(a) * b).convert_to<double>()).epsilon(1e-15));
      bool as_large_integers = true;
      for (const Int128 c : edges()) {
        const Wide other = Wide::product(c, c);
        const cpp_int x = cpp_int(a) * b;
        const cpp_int y = cpp_int(c) * c;
        as_large_integers = as_large_integers && big(product + other) == x + y &&
                            (product < other) == (x < y) && (product == other) == (x == y);
      }
      CHECK(as_large_integers);
    }
  }
}

TEST_CASE("nothing is above infinity") {
  const Int128 most = edges().back();
  CHECK(Wide::product(most, most) < Wide::infinity());
  CHECK(big(Wide::infinity()) == (cpp_int(1) << 256) - 1);
}
