// Counting through the grid, and evaluating expressions at its points.
#include "answers/grid.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "answers/expression.hpp"
#include "pimbb/error.hpp"

namespace pimbb::answers {
namespace {

[[noreturn]] void refuse_expression(const std::string& place, const ExpressionError& error) {
  throw InputError(place + ": found " + error.found + ", allowed are " + error.allowed);
}

Expression parsed(const std::string& text, const std::string& place, bool truth) {
  try {
    Expression expression(text);
    if (expression.is_truth() == truth) return expression;
    throw truth ? ExpressionError{"an expression that is a number", "comparisons"}
                : ExpressionError{"a comparison", "expressions that are numbers"};
  } catch (const ExpressionError& error) {
    refuse_expression(place, error);
  }
}

/// Axes that move together are one group; every other axis is one by itself. In the order of the
/// first axis of each.
std::vector<std::vector<std::size_t>> groups_of(const Space& space) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> done(space.vary.size());
  for (std::size_t axis = 0; axis < space.vary.size(); ++axis) {
    if (done[axis]) continue;
    std::vector<std::size_t> group{axis};
    for (const std::vector<std::size_t>& tie : space.tie) {
      if (std::ranges::count(tie, axis) > 0) group = tie;
    }
    for (const std::size_t member : group) done[member] = true;
    groups.push_back(std::move(group));
  }
  return groups;
}

std::optional<Rational> number_in(const std::string& text) {
  try {
    return Rational::parse(text);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// Values of paths at a point: of axes its own, of others those of the architecture.
class PointFigures {
 public:
  using BaseFigure = std::function<std::optional<Rational>(const std::string& path)>;
  PointFigures(const Space& space, const BaseFigure& base) : space_(space), base_(base) {}

  [[nodiscard]] Rational of(const GridPoint& point, const std::string& path,
                            const std::string& place) {
    for (std::size_t axis = 0; axis < space_.vary.size(); ++axis) {
      if (space_.vary[axis].path != path) continue;
      if (const auto value = number_in(point.values[axis])) return *value;
      throw InputError(place + ": found the path " + path + ", which has the value '" +
                       point.values[axis] + "', allowed are paths of numbers");
    }
    auto known = fixed_.find(path);
    if (known == fixed_.end()) known = fixed_.emplace(path, base_(path)).first;
    if (known->second) return *known->second;
    throw InputError(
        place + ": found the path " + path +
        ", allowed are paths in vary, and paths of numbers in the architecture's file");
  }

 private:
  const Space& space_;
  const BaseFigure& base_;
  std::map<std::string, std::optional<Rational>> fixed_;
};

Rational value_at(const Expression& expression, PointFigures& figures, const GridPoint& point,
                  const std::string& place) {
  try {
    return expression.value(
        [&](const std::string& path) { return figures.of(point, path, place); });
  } catch (const ExpressionError& error) {
    std::string at;
    for (const std::string& value : point.values) at += (at.empty() ? "" : ", ") + value;
    refuse_expression(place, {error.found + " at the point " + at, error.allowed});
  }
}

}  // namespace

void check_grid(const Space& space) {
  if (!space.only.empty()) parsed(space.only, space.only_place, true);
  if (!space.cost.empty()) parsed(space.cost, space.cost_place, false);
  std::size_t points = 1;
  for (const std::vector<std::size_t>& group : groups_of(space)) {
    points *= space.vary[group.front()].values.size();  // 10^6 times 10^6 at most
    if (points > kMostPoints) {
      throw InputError(space.vary[group.front()].place + ": found a grid of more than " +
                       std::to_string(kMostPoints) + " points, allowed are fewer");
    }
  }
}

std::size_t grid_size(const Space& space) {
  std::size_t points = 1;
  for (const auto& group : groups_of(space)) points *= space.vary[group.front()].values.size();
  return points;
}

std::vector<GridPoint> grid_points(
    const Space& space,
    const std::function<std::optional<Rational>(const std::string& path)>& figure) {
  const std::vector<std::vector<std::size_t>> groups = groups_of(space);
  std::optional<Expression> only;
  std::optional<Expression> cost;
  if (!space.only.empty()) only = parsed(space.only, space.only_place, true);
  if (!space.cost.empty()) cost = parsed(space.cost, space.cost_place, false);
  PointFigures figures(space, figure);
  std::vector<GridPoint> points;
  const std::size_t size = grid_size(space);
  for (std::size_t number = 0; number < size; ++number) {
    GridPoint point{number, std::vector<std::string>(space.vary.size()), std::nullopt};
    std::size_t rest = number;
    for (std::size_t g = groups.size(); g-- > 0;) {
      const std::size_t length = space.vary[groups[g].front()].values.size();
      for (const std::size_t axis : groups[g]) {
        point.values[axis] = space.vary[axis].values[rest % length];
      }
      rest /= length;
    }
    if (only && value_at(*only, figures, point, space.only_place).sign() == 0) continue;
    if (cost) point.cost = value_at(*cost, figures, point, space.cost_place);
    points.push_back(std::move(point));
  }
  if (points.empty()) {
    throw InputError(space.only_place + ": found a condition that none of the " +
                     std::to_string(size) + " points satisfies, allowed are others");
  }
  return points;
}

std::vector<std::string> changes_of(const Space& space, const GridPoint& point) {
  std::vector<std::string> changes;
  for (std::size_t axis = 0; axis < space.vary.size(); ++axis) {
    changes.push_back(space.vary[axis].path + "=" + point.values[axis]);
  }
  return changes;
}

}  // namespace pimbb::answers
