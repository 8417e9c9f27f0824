// Lines between lines: valid for all points that keep these, and close to the best that they say.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "dram_pim/plan/experience.hpp"
#include "support/cases.hpp"

using pimbb::Rational;
using pimbb::dram_pim::network::BoundLine;
using pimbb::dram_pim::network::line_between;
using pimbb::search::Blend;

namespace {

using Grids = std::vector<BoundLine::Grid>;

struct Point {
  Rational x;
  Rational y;
  [[nodiscard]] Rational along(const Blend& d) const { return d.alpha * x + d.beta * y; }
};

/// One cell of one layer, and no pass: the least of some points.
BoundLine line(const Blend& direction, const std::vector<Point>& points) {
  std::optional<Rational> least;
  for (const Point& p : points) {
    if (!least || p.along(direction) < *least) least = p.along(direction);
  }
  return {direction, Grids{{{least}}}, Grids{{{Rational()}}}};
}

}  // namespace

TEST_CASE("a line between two others is below all points, and on the corner if there is one") {
  std::mt19937_64 random(5);
  const auto below = [&](std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random);
  };
  for (std::size_t k = 0; k < testkit::cases(500); ++k) {
    std::vector<Point> points(1 + below(3));
    for (Point& p : points) p = {Rational(below(1000000), 7), Rational(below(1000000), 3)};
    std::vector<BoundLine> lines{line({1, 0}, points), line({0, 1}, points)};
    for (std::int64_t more = below(3); more > 0; --more) {
      lines.push_back(line({1 + below(99), 1 + below(99)}, points));
    }
    const Blend d{1 + below(999), 1 + below(999)};
    const Rational bound = *line_between(lines, d).layers[0][0][0];
    const Rational exact = *line(d, points).layers[0][0][0];
    REQUIRE(exact >= bound);
    const Rational slack = Rational(1, 1 << 8);
    // One point is on all lines, and a line that is parallel says the same.
    if (points.size() == 1) REQUIRE(exact - bound < slack);
    lines.push_back(line({d.alpha * 3, d.beta * 3}, points));
    const Rational same = *line_between(lines, d).layers[0][0][0];
    REQUIRE(exact >= same);
    REQUIRE(exact - same < slack);
  }
}

TEST_CASE("without lines on both sides nothing follows; no mapping stays no mapping") {
  const std::vector<Point> one{{5, 7}};
  const Blend d{1, 1};
  CHECK(line_between({line({1, 0}, one)}, d).layers[0][0][0] == Rational());
  CHECK(line_between({line({1, 0}, one), line({0, 1}, {})}, d).layers[0][0][0] == std::nullopt);
  CHECK(line_between({line({1, 0}, one), line({0, 1}, one)}, d).layers[0][0][0] == Rational(12));
}
