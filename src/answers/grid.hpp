// The points of a space: the grid of its axes, those that move together as one, and the points that
// the condition admits, each with its changes of the architecture and its cost.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pimbb/explore.hpp"

namespace pimbb::answers {

inline constexpr std::size_t kMostPoints = 1'000'000;

struct GridPoint {
  std::size_t number = 0;           ///< in the whole grid
  std::vector<std::string> values;  ///< by axis
  std::optional<Rational> cost;
};

/// Throws InputError for an expression that is none or of the wrong type, and for a grid of more
/// than kMostPoints points.
void check_grid(const Space& space);

/// Points of the whole grid.
std::size_t grid_size(const Space& space);

/// The points that the condition admits; the last axis varies fastest. `figure` gives the value at
/// a path of the architecture that is not varied; nothing if there is no number. Throws InputError
/// for a path that has no number, a division by zero, and if no point is left.
std::vector<GridPoint> grid_points(
    const Space& space,
    const std::function<std::optional<Rational>(const std::string& path)>& figure);

/// "pe_array.dim_h=8" for each axis.
std::vector<std::string> changes_of(const Space& space, const GridPoint& point);

}  // namespace pimbb::answers
