// The least product over a finite set of points, against all products: exact oracles, and oracles
// that know less than the truth.
#include <doctest/doctest.h>

#include <algorithm>

#include "search/least_product.hpp"
#include "support/cases.hpp"
#include "support/choices.hpp"

using namespace pimbb;
using namespace pimbb::search;
using testkit::Choices;

namespace {

std::vector<ProductPoint> random_points(Choices& choices) {
  std::vector<ProductPoint> points;
  const std::size_t count = 1 + choices.pick(choices.once_in(3) ? 3 : 40);
  const std::size_t size = choices.once_in(2) ? 12 : 400;
  const auto coordinate = [&] {
    return Rational(static_cast<std::int64_t>(choices.pick(size)),
                    1 + static_cast<std::int64_t>(choices.pick(3)));
  };
  for (std::size_t k = 0; k < count; ++k) points.push_back({coordinate(), coordinate(), k});
  return points;
}

/// The least of its direction; among equals any, which `choices` says.
ProductPoint least(const std::vector<ProductPoint>& points, const Blend& d, Choices& choices) {
  const auto value = [&](const ProductPoint& p) { return d.alpha * p.x + d.beta * p.y; };
  ProductPoint best = points.front();
  for (const ProductPoint& p : points) {
    const bool first_axis = d.beta.sign() == 0;
    const Rational tie = first_axis ? p.y - best.y : p.x - best.x;
    const bool axis = first_axis || d.alpha.sign() == 0;
    if (value(p) < value(best)) best = p;
    if (value(p) == value(best) && (axis ? tie.sign() < 0 : choices.once_in(2))) best = p;
  }
  return best;
}

Rational least_product(const std::vector<ProductPoint>& points) {
  return std::ranges::min_element(points, std::ranges::less{}, &ProductPoint::product)->product();
}

bool never() { return false; }

}  // namespace

TEST_CASE("the least product is that of all points, and all points that have it are found") {
  const std::uint64_t start = testkit::first_seed(0);
  for (std::uint64_t seed = start; seed < start + testkit::cases(4000); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    const std::vector<ProductPoint> points = random_points(choices);
    std::size_t asked = 0;
    const ProductMinimum minimum = minimise_product(
        [&](const Blend& d) {
          ++asked;
          const ProductPoint p = least(points, d, choices);
          return Support{d, p, d.alpha * p.x + d.beta * p.y};
        },
        never);
    const Rational best = least_product(points);
    CHECK(minimum.proven);
    CHECK(minimum.bound == best);
    CHECK(asked <= 2 * points.size() + 2);
    for (const ProductPoint& p : minimum.best) CHECK(p.product() == best);
    if (best.sign() == 0) continue;  // a product of 0 may be anywhere on an axis
    for (const ProductPoint& p : points) {
      if (p.product() != best) continue;
      CHECK(std::ranges::any_of(minimum.best,
                                [&](const auto& q) { return q.x == p.x && q.y == p.y; }));
    }
  }
}

TEST_CASE("with a bound of y the least y is asked for only where it matters") {
  const std::uint64_t start = testkit::first_seed(3'000'000);
  std::size_t left_out = 0;
  for (std::uint64_t seed = start; seed < start + testkit::cases(4000); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    const std::vector<ProductPoint> points = random_points(choices);
    Rational least_y = points.front().y;
    for (const ProductPoint& p : points) least_y = std::min(least_y, p.y);
    least_y *= choices.one_of<Rational>({1, Rational(9, 10), Rational(1, 2), 0});
    bool asked_y = false;
    const ProductMinimum minimum = minimise_product(
        [&](const Blend& d) {
          asked_y = asked_y || d.alpha.sign() == 0;
          const ProductPoint p = least(points, d, choices);
          return Support{d, p, d.alpha * p.x + d.beta * p.y};
        },
        never, {}, {.least_y = least_y});
    if (!asked_y) ++left_out;
    const Rational best = least_product(points);
    CHECK(minimum.proven);
    CHECK(minimum.bound == best);
    if (best.sign() == 0) continue;
    for (const ProductPoint& p : points) {
      if (p.product() != best) continue;
      CHECK(std::ranges::any_of(minimum.best,
                                [&](const auto& q) { return q.x == p.x && q.y == p.y; }));
    }
  }
  CHECK((left_out > 0 || testkit::slow_build()));
}

TEST_CASE("an oracle that knows less gives a bound, one that rounds directions too") {
  const std::uint64_t start = testkit::first_seed(1'000'000);
  for (std::uint64_t seed = start; seed < start + testkit::cases(2000); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    const std::vector<ProductPoint> points = random_points(choices);
    const std::size_t how = choices.pick(3);
    const ProductMinimum minimum = minimise_product(
        [&](const Blend& asked) {
          const Blend d = how == 1 ? coarser(asked, 3) : asked;
          const ProductPoint p = least(points, d, choices);
          const Rational value = d.alpha * p.x + d.beta * p.y;
          if (how == 1 || choices.once_in(2)) return Support{d, p, value};
          return Support{d, points[choices.pick(points.size())], value * Rational(4, 5)};
        },
        never);
    const Rational best = least_product(points);
    CHECK(minimum.bound <= best);
    REQUIRE_FALSE(minimum.best.empty());
    CHECK(minimum.best.front().product() >= best);
    CHECK(minimum.proven == (minimum.bound == minimum.best.front().product()));
  }
}

// An oracle as lazy as it may be: a bound that is enough, and some point; ends far from the set.
TEST_CASE("bounds that are enough, and rough ends, lead to the least product too") {
  const std::uint64_t start = testkit::first_seed(0);
  std::size_t exact = 0;
  std::size_t lazy = 0;
  for (std::uint64_t seed = start; seed < start + testkit::cases(4000); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    const std::vector<ProductPoint> points = random_points(choices);
    const auto kept = choices.one_of<Rational>({Rational(99, 100), Rational(1, 2), 0});
    const ProductMinimum minimum = minimise_product(
        [&](const AskedBlend& asked) {
          const Blend& d = asked;
          const ProductPoint p = least(points, d, choices);
          const Rational value = d.alpha * p.x + d.beta * p.y;
          const ProductPoint& any = points[choices.pick(points.size())];
          if (asked.rough) return Support{d, any, value * kept};
          const auto enough = asked.enough ? asked.enough(d) : std::nullopt;
          if (!enough || value < *enough) {
            ++exact;
            return Support{d, p, value};
          }
          ++lazy;
          return Support{d, any, *enough};
        },
        never, {}, {.rough = true});
    CHECK(minimum.proven);
    CHECK(minimum.bound == least_product(points));
    if (minimum.bound.sign() == 0) continue;
    for (const ProductPoint& p : points) {
      if (p.product() != minimum.bound) continue;
      CHECK(std::ranges::any_of(minimum.best, [&](const ProductPoint& known) {
        return known.x == p.x && known.y == p.y;
      }));
    }
  }
  CHECK(lazy > exact / 100);
}

TEST_CASE("a search that is stopped keeps what it knows") {
  const std::vector<ProductPoint> points{{1, 100, 0}, {9, 9, 1}, {100, 1, 2}, {2, 40, 3}};
  Choices choices(1);
  const ProductMinimum minimum = minimise_product(
      [&](const Blend& d) {
        const ProductPoint p = least(points, d, choices);
        return Support{d, p, d.alpha * p.x + d.beta * p.y};
      },
      [] { return true; });
  CHECK_FALSE(minimum.proven);
  CHECK(minimum.best.front().product() == Rational(100));
  CHECK(minimum.bound == Rational(1));
}

// Both lines through (3, 3) are answered with another point on them, and its product of 9 is known
// from (10, 9/10): the corner's bound alone does not say whether a point is there.
TEST_CASE("a point of the least product in the corner of two lines is found") {
  const std::vector<ProductPoint> points{
      {Rational(9, 5), 6, 0}, {2, 5, 1}, {3, 3, 2}, {5, 2, 3}, {10, Rational(9, 10), 4}};
  const auto value = [](const Blend& d, const ProductPoint& p) {
    return d.alpha * p.x + d.beta * p.y;
  };
  const ProductMinimum minimum = minimise_product(
      [&](const Blend& d) {
        ProductPoint best = points.front();
        for (const ProductPoint& p : points) {
          const bool instead = best.id == 2 && value(d, p) == value(d, best);
          if (instead || value(d, p) < value(d, best)) best = p;
        }
        return Support{d, best, value(d, best)};
      },
      never);
  CHECK(minimum.proven);
  REQUIRE(minimum.best.size() == 2);
  CHECK(minimum.best[0].id == 2);
  CHECK(minimum.best[1].id == 4);
}

TEST_CASE("an oracle that is never exact is asked six times deep") {
  std::size_t asked = 0;
  const ProductMinimum minimum = minimise_product(
      [&](const Blend& d) {
        ++asked;
        return Support{d, {1, 1, 0}, (d.alpha + d.beta) * Rational(4, 5)};
      },
      never);
  CHECK(asked == 2 + (1 + 2 + 4 + 8 + 16 + 32));
  CHECK_FALSE(minimum.proven);
  CHECK(minimum.bound == Rational(16, 25));
}

TEST_CASE("directions become small integers") {
  const Blend d = coprime({Rational(3, 4), Rational(9, 10)});
  CHECK(d.alpha == Rational(5));
  CHECK(d.beta == Rational(6));
  const Blend coarse = coarser({Rational(1'000'000'007), Rational(3)}, 8);
  CHECK(coarse.alpha < Rational(256));
  CHECK(coarse.beta == Rational(1));
  CHECK(coarser({Rational(1), Rational(0)}, 1).beta == Rational(0));
  const Blend exact = coarser({Rational(255), Rational(254)}, 8);
  CHECK(exact.alpha == Rational(255));
  CHECK(exact.beta == Rational(254));
  const Blend rounded = coarser({Rational(1001), Rational(514)}, 8);  // 250.25, 128.5
  CHECK(rounded.alpha == Rational(125));
  CHECK(rounded.beta == Rational(64));
}
