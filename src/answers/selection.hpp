// Some points of a front instead of all of them.
//
// Within E: the fewest points that a greedy choice needs so that every point of the front, and so
// every feasible mapping, is dominated by one of them after its coordinates are divided by 1 + E.
// N points: the ends of all axes first, then always the point that covers most of the largest box
// that is still open, so that the points are spread over the front.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "answers/staircase.hpp"
#include "pimbb/front.hpp"

namespace pimbb::answers {

struct Selection {
  std::vector<std::size_t> chosen;  ///< indices, ascending
  /// The least E for which the chosen points are a front within E of all points; nothing if none
  /// is large enough, because a coordinate is 0.
  std::optional<Rational> within = Rational(0);
};

/// Whether `a` is no larger than (1 + `within`) times `b` on any axis.
bool no_worse_within(const Vector& a, const Vector& b, const Rational& within);

/// The points that the options ask for, all of them without any. If the options have both: no more
/// than `points`, and those within `within` if they are enough. `points`: by the first axis.
Selection select(std::span<const Vector> points, const FrontOptions& options);

/// Keeps the points of a wing's front that the options ask for; how close they come to the others.
template <class FrontPoint>
std::optional<Rational> keep_selected(std::vector<FrontPoint>& points,
                                      const FrontOptions& options) {
  std::vector<Vector> all;
  for (const FrontPoint& point : points) all.push_back(point.costs);
  const Selection selection = select(all, options);
  std::vector<FrontPoint> chosen;
  for (const std::size_t k : selection.chosen) chosen.push_back(std::move(points[k]));
  points = std::move(chosen);
  return selection.within;
}

/// Throws InputError unless a front is complete or infeasible and all points found are listed: only
/// then it can be proven.
void check_whole(FrontStatus status, std::size_t listed, std::uint64_t found);

}  // namespace pimbb::answers
