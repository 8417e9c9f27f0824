// The front of a sum: of totals over parts that are chosen independently, such as the layers of a
// network, from the fronts of the parts.
//
// It is the part of the Minkowski sum that nothing dominates, made part by part. That can be large,
// therefore sums may be thinned: of those that are close to each other only some are kept, so that
// every sum is dominated by one that is kept after its costs are divided by a factor. The factor of
// all steps together is part of the result; without thinning it is 1 and the front is complete.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "answers/staircase.hpp"

namespace pimbb::answers {

struct SumPart {
  std::vector<Vector> points;  ///< costs by axis, >= 0; at least one
  Rational times = 1;          ///< > 0: the factor in the total
};

struct FrontSum {
  struct Point {
    Vector costs;
    std::vector<std::uint32_t> chosen;  ///< by part: the number of its point
  };
  std::vector<Point> points;  ///< by the first axis, none dominated by another
  /// Every sum is dominated by a point after the point's costs are divided by 1 + `within`.
  Rational within = 0;
};

struct SumLimits {
  Rational within = 0;              ///< thin as far as this allows; >= 0
  std::size_t most = 1U << 17U;     ///< and farther if more points would be kept, >= 64
  std::function<bool()> stop = {};  ///< to at most 64 points once it returns true; empty: never
};

/// The front of all sums of one point of each part. At least one part, two or three axes.
FrontSum front_of_sums(std::span<const SumPart> parts, const SumLimits& limits);

/// Vectors of which every sum of one point of each part is dominated by one, or equal to it: at
/// most `most` of them, >= 1.
std::vector<Vector> floor_of_sums(std::span<const SumPart> parts, std::size_t most);

}  // namespace pimbb::answers
