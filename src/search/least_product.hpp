// The least product x * y over a finite set of points that is given by a linear oracle.
//
// The set is in the quadrant x, y >= 0 and far too large to enumerate: total latency and total
// energy of a network, one point for every combination of mappings of its layers. The oracle
// returns a point of least  alpha x + beta y  for given alpha, beta >= 0, which is possible because
// such a sum decomposes into layers. This is sufficient:
//
// Claim 1. A point p of least product, if that is not 0, is the only one of least
// p_y x + p_x y. Proof: for a point (x, y) with p_y x + p_x y <= 2 p_x p_y the inequality of
// arithmetic and geometric mean gives (p_y x)(p_x y) <= (p_x p_y)^2, so x y <= p_x p_y, with
// equality only if p_y x = p_x y = p_x p_y, which is the point p itself.  []
//
// Claim 2. Let every point keep  a.x >= u  and  b.x >= v  for two directions a, b, of which the
// first weighs x relatively more, and let c be the corner where both lines cross. If a least point
// p has its direction (p_y, p_x) between a and b, then p_x p_y >= c_x c_y (where c_x, c_y >= 0;
// else it is 0 at least), with equality only if p = c. Proof: (p_y, p_x) = s a + t b with s, t >=
// 0, hence 2 p_x p_y = s a.p + t b.p >= s u + t v = p_y c_x + p_x c_y >= 2 sqrt(p_x p_y c_x c_y),
// and as above.  []
//
// The directions from (1, 0) to (0, 1) are therefore searched as an interval. Solving for both ends
// gives two lines and two points. The bound of an interval is that of its corner, and the interval
// of least bound is split. It is split at the corner's own direction (c_y, c_x), which raises the
// bound most if the corner is near a point. This alone need not terminate. Every fourth split is
// therefore at the direction of the chord between the two points (Aneja and Nair): either the chord
// is an edge of the hull, and the corners of both halves are known points, or there is a point
// below it. There are finitely many vertices, so the search terminates.
//
// The least y may be expensive, and nobody needs it: a bound on y is a line as well. Where one is
// given, the interval ends at it, and (0, 1) is only asked for if the bound turns out too weak.
//
// Nor are lines needed that touch the set. For each direction there is a least bound with which the
// corners on its line are no better than the best point known: with this much, the oracle may stop.
// Ends may be rough: lines that are easily had. Where these leave an interval open, they are asked
// for once more.
//
// If a limit stops the oracle, it answers with a lower bound instead of the minimum: the line is
// still valid, and the search ends with a bound below the best product.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb::search {

/// Weights of x and y, >= 0 and not both 0.
struct Blend {
  Rational alpha;
  Rational beta;
};

/// Positive if `b` weighs y relatively more than `a`, negative if less.
Rational turn(const Blend& a, const Blend& b);

struct ProductPoint {
  Rational x;
  Rational y;
  std::size_t id = 0;  ///< identifies the point to the oracle
  [[nodiscard]] Rational product() const { return x * y; }
};

/// The oracle's answer for a direction: a point, and a lower bound of alpha x + beta y over all
/// points, which is exact if the point attains it. `direction` is the direction of the answer,
/// which may be coarser than the requested one.
struct Support {
  Blend direction;
  ProductPoint point;
  Rational bound;
};

struct ProductMinimum {
  std::vector<ProductPoint> best;  ///< all minimisers if `proven`, by ascending x; else those known
  Rational bound;                  ///< proven lower bound of the product
  bool proven = false;
};

/// A direction that an oracle is asked for.
struct AskedBlend : Blend {
  bool rough = false;  ///< any line will do, if it is a valid one
  /// The bound that is enough for a direction close to it; nothing where only the minimum is.
  std::function<std::optional<Rational>(const Blend&)> enough{};
};

using SupportOracle = std::function<Support(const AskedBlend&)>;

/// How the ends of the directions, (1, 0) and (0, 1), are asked for.
struct ProductEnds {
  bool rough = false;  ///< both roughly at first
  std::optional<Rational>
      least_y{};  ///< a lower bound of y: (0, 1) is only asked for if it must be
};

/// Calls `oracle` for (1, 0) and (0, 1) first; there it should break ties by the other coordinate.
/// The search ends early if `stopped` returns true. `report` receives the best product and the
/// bound.
ProductMinimum minimise_product(
    const SupportOracle& oracle, const std::function<bool()>& stopped,
    const std::function<void(const Rational& best, const Rational& bound)>& report = {},
    const ProductEnds& ends = {});

/// The direction in small coprime integers.
Blend coprime(const Blend& direction);
/// A direction close to it whose weights are integers below 2^bits; (1, 0) and (0, 1) stay, and no
/// other becomes one of these.
Blend coarser(const Blend& direction, unsigned bits);

}  // namespace pimbb::search
