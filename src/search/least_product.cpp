// Splitting intervals of directions, and rounding directions.
#include "search/least_product.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "exact/rational_impl.hpp"
#include "exact/rounding.hpp"
#include "search/best_first.hpp"

namespace pimbb::search {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

/// How often an interval is split whose ends the oracle could not answer exactly.
constexpr int kInexactSplits = 6;
/// Splits at corners, and then one at a chord.
constexpr int kChordEvery = 4;

Rational dot(const Blend& d, const ProductPoint& p) { return d.alpha * p.x + d.beta * p.y; }

bool between(const Blend& a, const Blend& d, const Blend& b) {
  return d.alpha.sign() >= 0 && d.beta.sign() >= 0 && turn(a, d).sign() > 0 &&
         turn(d, b).sign() > 0;
}

bool same_place(const ProductPoint& a, const ProductPoint& b) { return a.x == b.x && a.y == b.y; }

/// Directions from `left` to `right`, with the best corner of the intervals that it was split from.
struct Interval {
  Support left;
  Support right;
  ProductPoint corner;
  Rational bound;
  int splits = 0;  ///< that it comes from
  int inexact_splits = 0;
};

class ProductSearch {
 public:
  ProductSearch(const SupportOracle& oracle, const std::function<bool()>& stopped,
                const std::function<void(const Rational&, const Rational&)>& report,
                const ProductEnds& ends)
      : oracle_(oracle),
        stopped_(stopped),
        report_(report),
        rough_left_(ends.rough),
        rough_right_(ends.rough || ends.least_y) {
    const Support left = ask({{1, 0}, ends.rough});
    const Support right =
        ends.least_y ? Support{{0, 1}, left.point, *ends.least_y} : ask({{0, 1}, ends.rough});
    add(left, right, nullptr, 0);
  }

  ProductMinimum run() {
    // No cutoff: of equal bounds, some can still hold a minimiser that is not known.
    while (!open_.empty()) {
      const Rational bound = *open_.least_bound();
      const Interval interval = open_.pop().part;
      if (report_) report_(best(), bound);
      if (is_closed(interval)) continue;
      if (stopped_() || !(split(interval) || end_exactly(interval))) {
        open_.leave_open(interval.bound);
      }
    }
    return result();
  }

 private:
  Support ask(const AskedBlend& direction) {
    Support support = oracle_(direction);
    lines_.push_back(support);
    return support;
  }

  [[nodiscard]] Rational best() const {
    Rational least = lines_.front().point.product();
    for (const Support& line : lines_) least = std::min(least, line.point.product());
    return least;
  }

  static bool is_exact(const Support& s) { return dot(s.direction, s.point) == s.bound; }

  /// Where two lines cross.
  static ProductPoint corner_of(const Support& left, const Support& right) {
    const Blend& a = left.direction;
    const Blend& b = right.direction;
    const Rational det = turn(a, b);
    assert(det.sign() > 0);
    return {(left.bound * b.beta - right.bound * a.beta) / det,
            (a.alpha * right.bound - b.alpha * left.bound) / det};
  }

  void add(const Support& left, const Support& right, const Interval* parent, int inexact_splits) {
    Interval interval{left,
                      right,
                      corner_of(left, right),
                      {},
                      parent == nullptr ? 0 : parent->splits + 1,
                      inexact_splits};
    const bool inside = interval.corner.x.sign() >= 0 && interval.corner.y.sign() >= 0;
    interval.bound = inside ? interval.corner.product() : Rational();
    if (parent != nullptr && parent->bound > interval.bound) {
      interval.corner = parent->corner;
      interval.bound = parent->bound;
    }
    const Rational bound = interval.bound;
    open_.push(bound, intervals_++, std::move(interval));
  }

  /// Nothing better is in it, and nothing as good that is not known.
  [[nodiscard]] bool is_closed(const Interval& interval) const {
    const Rational least = best();
    if (interval.bound != least) return interval.bound > least;
    return std::any_of(lines_.begin(), lines_.end(), [&](const Support& line) {
      return same_place(line.point, interval.corner) ||
             dot(line.direction, interval.corner) < line.bound;
    });
  }

  /// An interval whose end is rough once more, up to the end itself. False if there is none.
  bool end_exactly(const Interval& interval) {
    if (rough_right_ && interval.right.direction.alpha.sign() == 0) {
      rough_right_ = false;
      add(interval.left, ask({{0, 1}}), &interval, 0);
      return true;
    }
    if (rough_left_ && interval.left.direction.beta.sign() == 0) {
      rough_left_ = false;
      add(ask({{1, 0}}), interval.right, &interval, 0);
      return true;
    }
    return false;
  }

  /// False if there is no direction to split at.
  bool split(const Interval& interval) {
    const bool exact = is_exact(interval.left) && is_exact(interval.right);
    if (!exact && interval.inexact_splits >= kInexactSplits) return false;
    const auto middle = direction_inside(interval);
    if (!middle) return false;
    const Support support =
        ask({*middle, false, [&](const Blend& direction) { return enough(interval, direction); }});
    if (!between(interval.left.direction, support.direction, interval.right.direction)) {
      return false;
    }
    const int inexact = interval.inexact_splits + (exact && is_exact(support) ? 0 : 1);
    add(interval.left, support, &interval, inexact);
    add(support, interval.right, &interval, inexact);
    return true;
  }

  /// With a line of this bound in between, both halves of an interval have corners that are no
  /// better than the best point. A little more than that, so that rounding leaves nothing open. On
  /// a line alpha x + beta y = u the products of B are where alpha x, or beta y, are the roots z of
  ///   z (u - z) = alpha beta B,
  /// and from the interval's corner the larger one of these comes first: of alpha x on the left
  /// line, of beta y on the right one.
  [[nodiscard]] std::optional<Rational> enough(const Interval& interval,
                                               const Blend& direction) const {
    constexpr double kMore = 1 + 1e-9;
    const ProductPoint corner = corner_of(interval.left, interval.right);
    if (!between(interval.left.direction, {corner.y, corner.x}, interval.right.direction)) {
      return std::nullopt;
    }
    const double least = best().to_double() * kMore;
    const double alpha = direction.alpha.to_double();
    const double beta = direction.beta.to_double();
    double bound = 0;
    for (const bool left : {true, false}) {
      const Support& end = left ? interval.left : interval.right;
      const double across = end.direction.alpha.to_double();
      const double up = end.direction.beta.to_double();
      const double u = end.bound.to_double();
      const double square = u * u - 4 * across * up * least;
      if (square < 0) return std::nullopt;
      const double root = (u + std::sqrt(square)) / 2;
      const double first = root / (left ? across : up);
      const double second = least / first;
      bound = std::max(bound, left ? alpha * first + beta * second : alpha * second + beta * first);
    }
    if (!std::isfinite(bound)) return std::nullopt;
    const Rational enough = make_rational(cpp_rational(bound * kMore));
    return rounded_up(enough, binary_digits(bound));
  }

  /// The corner's own or, every fourth time, that of the chord (product.hpp); where neither is
  /// inside (inexact ends), one in the middle.
  static std::optional<Blend> direction_inside(const Interval& interval) {
    const Blend& a = interval.left.direction;
    const Blend& b = interval.right.direction;
    const ProductPoint& p = interval.left.point;
    const ProductPoint& q = interval.right.point;
    const Blend of_corner{interval.corner.y, interval.corner.x};
    const Blend of_chord{p.y - q.y, q.x - p.x};
    const bool chord_first = interval.splits % kChordEvery == kChordEvery - 1;
    for (const Blend& d : {chord_first ? of_chord : of_corner, chord_first ? of_corner : of_chord,
                           Blend{a.alpha + b.alpha, a.beta + b.beta}}) {
      if (between(a, d, b)) return coprime(d);
    }
    return std::nullopt;
  }

  [[nodiscard]] ProductMinimum result() const {
    ProductMinimum minimum;
    const Rational least = best();
    for (const Support& line : lines_) {
      const auto known = [&](const ProductPoint& p) { return same_place(p, line.point); };
      if (line.point.product() != least || std::ranges::any_of(minimum.best, known)) continue;
      minimum.best.push_back(line.point);
    }
    std::ranges::sort(minimum.best, std::ranges::less{}, &ProductPoint::x);
    minimum.bound = std::min(open_.least_bound().value_or(least), least);
    minimum.proven = minimum.bound == least;
    return minimum;
  }

  const SupportOracle& oracle_;
  const std::function<bool()>& stopped_;
  const std::function<void(const Rational&, const Rational&)>& report_;
  bool rough_left_;  // an end that was not asked for as such
  bool rough_right_;
  std::vector<Support> lines_;
  BestFirst<Interval, Rational> open_;
  std::uint64_t intervals_ = 0;
};

}  // namespace

Rational turn(const Blend& a, const Blend& b) { return a.alpha * b.beta - a.beta * b.alpha; }

ProductMinimum minimise_product(const SupportOracle& oracle, const std::function<bool()>& stopped,
                                const std::function<void(const Rational&, const Rational&)>& report,
                                const ProductEnds& ends) {
  return ProductSearch(oracle, stopped, report, ends).run();
}

Blend coprime(const Blend& direction) {
  const cpp_rational& a = direction.alpha.impl().value;
  const cpp_rational& b = direction.beta.impl().value;
  const cpp_int unit = lcm(denominator(a), denominator(b));
  const cpp_int x = numerator(cpp_rational(a * unit));
  const cpp_int y = numerator(cpp_rational(b * unit));
  const cpp_int common = gcd(x, y);
  return {make_rational(x / common), make_rational(y / common)};
}

Blend coarser(const Blend& direction, unsigned bits) {
  const Blend exact = coprime(direction);
  const auto integer = [](const Rational& r) { return cpp_int(numerator(r.impl().value)); };
  const cpp_int x = integer(exact.alpha);
  const cpp_int y = integer(exact.beta);
  const cpp_int larger = std::max(x, y);
  const unsigned size = larger == 0 ? 0 : static_cast<unsigned>(msb(larger)) + 1;
  if (size <= bits) return exact;
  const auto rounded = [&](const cpp_int& value) {
    return value == 0 ? cpp_int(0) : std::max(cpp_int(1), cpp_int(value >> (size - bits)));
  };
  return coprime({make_rational(rounded(x)), make_rational(rounded(y))});
}

}  // namespace pimbb::search
