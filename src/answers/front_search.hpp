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
//
// Where questions may be too hard, a search with patience asks them all with few nodes before it
// asks one with many: every answer has at least a bound, and often a point that others miss.
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

/// What is known before a search, and how it goes on where a question is not settled.
struct FrontStart {
  std::vector<Point> known;  ///< feasible solutions
  std::vector<Zone> empty;   ///< proven to have no solution
  /// 0: the first question that a limit ends is the last one. Otherwise each question gets so many
  /// nodes: first the zones without a limit, then the largest ones; those that are not settled get
  /// four times as many in the next pass, as long as the limits of all allow it.
  std::uint64_t patience = 0;
};

/// The axes are the goals of the problem, two or three. `limits`: the time of all searches
/// together, and the nodes, which `spent` counts.
SearchedFront search_front(const Problem& problem, const RunLimits& limits,
                           const std::function<std::uint64_t()>& spent, FrontStart start = {});

}  // namespace pimbb::answers
