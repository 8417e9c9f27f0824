// Scaled programs: powers of two that bring the largest entry of each column into (1/2, 1].
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lp/programs.hpp"
#include "lp/scaled_program.hpp"

using pimbb::Rational;
using namespace pimbb::lp;
using testkit::Draw;

namespace {

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

/// Entries of 1 and powers of ten from 10^-6 to 10^6, some columns of ones only.
LinearProgram wide_program(Draw& draw) {
  LinearProgram out;
  for (int row = 0; row < 5; ++row) out.add_row(testkit::range("-3", "1000"));
  for (int column = 0; column < 6; ++column) {
    const ColIndex j = out.add_column(Rational(draw.next(9) - 4), testkit::range("0", "5"));
    const bool ones = draw.next(3) == 0;
    for (int row = 0; row < 5; ++row) {
      if (row != column % 5 && draw.next(2) == 0) continue;
      const Rational size = Rational::parse("1e" + std::to_string(draw.next(13) - 6));
      out.add_entry(RowIndex(row), j, ones || draw.next(3) == 0 ? Rational(-1) : size);
    }
  }
  return out;
}

/// Whether the scaled entries are those of the program, times the scales of column and row.
bool is_scaled(const ScaledProgram& scaled, const LinearProgram& program) {
  for (ColIndex j; j.value() < program.columns(); ++j) {
    const auto& entries = program.entries(j);
    const int begin = scaled.by_column.start[j.value()];
    if (scaled.by_column.start[j.value() + 1] - begin != static_cast<int>(entries.size())) {
      return false;
    }
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const auto at = static_cast<std::size_t>(begin) + k;
      const double wanted = entries[k].value.to_double() * scaled.scale[j.value()] /
                            scaled.scale[scaled.logical(entries[k].row.value())];
      if (scaled.by_column.value[at] != wanted) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("scales are powers of two, and the largest entries near 1") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    LinearProgram program = wide_program(draw);
    program.add_entry(RowIndex(0), program.add_column(Rational(1), {}), Rational(1'000'000));
    const ScaledProgram scaled(program);
    CHECK(is_scaled(scaled, program));
    for (const double scale : scaled.scale) CHECK(is_power_of_two(scale));
    CHECK(is_power_of_two(scaled.cost_scale));
    for (int column = 0; column < scaled.columns; ++column) {
      double largest = 0;
      for (int k = scaled.by_column.start[column]; k < scaled.by_column.start[column + 1]; ++k) {
        largest = std::max(largest, std::fabs(scaled.by_column.value[k]));
      }
      CHECK(largest > 0.5);
      CHECK(largest <= 1);
      const double cost = program.cost(ColIndex(column)).to_double();
      CHECK(scaled.cost[column] == cost * scaled.scale[column] * scaled.cost_scale);
      CHECK(std::fabs(scaled.cost[column]) <= 2048);
    }
    for (int v = 0; v < scaled.variables(); ++v) {
      const Range& range = v < scaled.columns ? program.range(ColIndex(v))
                                              : program.range(RowIndex(v - scaled.columns));
      if (range.lower) CHECK(scaled.lower[v] * scaled.scale[v] == range.lower->to_double());
      if (range.upper) CHECK(scaled.upper[v] * scaled.scale[v] == range.upper->to_double());
    }
  }
}

TEST_CASE("entries within a factor of 8 of 1 are left as they are") {
  const LinearProgram near = testkit::program("1 2", {{"1", "8 -0.125", "9"}, {"", "1 3", "4"}});
  const ScaledProgram scaled(near);
  for (const double scale : scaled.scale) CHECK(scale == 1);
  const LinearProgram far = testkit::program("1 2", {{"1", "9 -0.125", "9"}, {"", "1 3", "4"}});
  const ScaledProgram changed(far);
  CHECK(changed.scale != scaled.scale);
}

TEST_CASE("large costs are brought near 1024 by one factor") {
  const ScaledProgram scaled(testkit::program("1e9 -3", {{"1", "1 1", ""}}));
  CHECK(is_power_of_two(scaled.cost_scale));
  CHECK(scaled.cost[0] > 512);
  CHECK(scaled.cost[0] < 2048);
  CHECK(scaled.cost[1] == -3 * scaled.cost_scale);
  CHECK(ScaledProgram(testkit::program("1024 -3", {{"1", "1 1", ""}})).cost_scale == 1);
}
