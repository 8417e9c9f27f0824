// The front of a network's totals from the fronts of its layers, as reports and documents want it:
// some of the points if many, and what is open if a layer's front is.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "answers/staircase.hpp"
#include "pimbb/front.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::answers {

struct LayerPoints {
  std::vector<Vector> points;   ///< costs by axis; at least one
  std::vector<Vector> corners;  ///< of the layer's open boxes: the least of each
  Rational times = 1;           ///< > 0: the layer's factor in the totals
};

struct TotalsFront {
  struct Point {
    Vector costs;
    std::vector<std::size_t> chosen;  ///< by layer: the number of its point
  };
  bool complete = false;
  std::vector<Point> points;  ///< by the first axis, none dominated by another
  std::vector<FrontBox> open;
  Rational covered = 0;
  /// Every choice of the layers' points is dominated by a point after the point's totals are
  /// divided by 1 + `within`; nothing if points with a total of 0 are missing.
  std::optional<Rational> within = Rational(0);
  std::uint64_t found = 0;  ///< points that were made, listed or not
};

/// Two or three axes. Totals that are too many for the memory limit, or for the time once `stop`
/// returns true, are thinned, and the front is then not complete.
TotalsFront front_of_totals(std::span<const LayerPoints> layers, std::size_t axes,
                            const FrontOptions& options, std::uint64_t memory_limit,
                            const std::function<bool()>& stop);

}  // namespace pimbb::answers
