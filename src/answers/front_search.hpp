// The front of any problem, found by asking again and again: which solution costs least within
// these limits?
//
// The first answer is the least on the first axis. What no point covers is a union of zones below
// strict limits (staircase.hpp); each zone is asked for its least solution by all axes in turn,
// until every zone is known to be empty.
//
// A point that is the least of a zone is on the front: a solution that dominates it costs no more
// on any axis, so it is in the zone too, and costs less in the order of the axes. A zone whose
// least solution costs b on the first axis has nothing below b there: with two axes, n points take
// n + 1 questions.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "answers/problem.hpp"
#include "answers/staircase.hpp"
#include "pimbb/front.hpp"

namespace pimbb::answers {

struct SearchedFront {
  FrontStatus status = FrontStatus::unknown;
  std::vector<Point> points;   ///< by the first axis, none dominated by another
  std::vector<FrontBox> open;  ///< not settled, if the front is partial
  Rational covered = 0;        ///< share of the bounding box of the points that is settled
};

/// The axes are the goals of the problem, two or three. `limits`: the time of all searches
/// together, and the nodes, which `spent` counts.
SearchedFront search_front(const Problem& problem, const RunLimits& limits,
                           const std::function<std::uint64_t()>& spent);

}  // namespace pimbb::answers
