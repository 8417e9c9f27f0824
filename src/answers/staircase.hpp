// The geometry of fronts: points, the boxes below their staircase, and how much of them is settled.
//
// A front is known from two sides. Its points say what is attained: everything that costs at least
// as much as one of them on all axes is of no interest. Corners say what is not excluded: every
// mapping that no point covers costs at least as much as one of the corners on all axes. A front
// is complete if no corner is left that no point covers.
//
// The region that no point covers is a union of boxes, each the set of vectors below a strict limit
// on some axes: on two axes the box under the corner of each two neighbours and the two outside the
// ends. They are computed by inserting point after point, as search zones are in the literature
// (Klamroth, Lacour and Vanderpooten 2015).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pimbb/front.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::answers {

using Vector = std::vector<Rational>;
/// Strict upper limits by axis; nothing: no limit.
using Zone = std::vector<std::optional<Rational>>;

/// Whether zone `a` is a part of `b`.
bool is_part(const Zone& a, const Zone& b);
/// Whether `a` is no larger than `b` on any axis.
bool no_worse(const Vector& a, const Vector& b);

/// The largest boxes that contain none of `points` and nothing that one of them covers; together
/// they contain everything else. `axes`: how many.
std::vector<Zone> zones_below(std::span<const Vector> points, std::size_t axes);
/// Replaces the zones that contain `point` by what the point does not cover.
void split_zones(std::vector<Zone>& zones, const Vector& point);

/// For each zone with corners in it the box from the least of these on each axis.
std::vector<FrontBox> open_boxes(std::span<const Vector> points, std::span<const Vector> corners,
                                 std::size_t axes);

/// The share of the bounding box of the points that is in none of `open`. If it has no volume: 1 if
/// nothing is open, else 0.
Rational covered_share(std::span<const Vector> points, std::span<const FrontBox> open);

}  // namespace pimbb::answers
