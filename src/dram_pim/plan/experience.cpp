// Lines between lines.
#include "dram_pim/plan/experience.hpp"

#include <algorithm>

#include "exact/rounding.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::network {
namespace {

/// One direction as a sum of two.
struct Mix {
  const BoundLine* left;
  const BoundLine* right;
  Rational of_left;
  Rational of_right;

  using Bound = std::optional<Rational>;
  [[nodiscard]] Bound of(const Bound& first, const Bound& second) const {
    if (!first || !second) return std::nullopt;
    return of_left * *first + of_right * *second;
  }
};

std::optional<Mix> mix_of(const std::vector<BoundLine>& lines, const search::Blend& c) {
  const BoundLine* left = nullptr;
  const BoundLine* right = nullptr;
  for (const BoundLine& line : lines) {
    const int side = search::turn(line.direction, c).sign();
    if (side == 0) {
      const bool by_alpha = c.alpha.sign() > 0;
      return Mix{&line,
                 &line,
                 by_alpha ? c.alpha / line.direction.alpha : c.beta / line.direction.beta,
                 {}};
    }
    const BoundLine*& next = side > 0 ? left : right;
    if (next == nullptr || search::turn(next->direction, line.direction).sign() == side) {
      next = &line;
    }
  }
  if (left == nullptr || right == nullptr) return std::nullopt;
  const search::Blend& a = left->direction;
  const search::Blend& b = right->direction;
  const Rational det = search::turn(a, b);
  return Mix{left, right, search::turn(c, b) / det, search::turn(a, c) / det};
}

/// A grid of bounds from two.
BoundLine::Grid mixed(const Mix& mix, const BoundLine::Grid& left, const BoundLine::Grid& right) {
  BoundLine::Grid grid = left;
  double most = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    for (std::size_t k = 0; k < grid[i].size(); ++k) {
      grid[i][k] = mix.of(left[i][k], right[i][k]);
      if (grid[i][k]) most = std::max(most, grid[i][k]->to_double());
    }
  }
  const unsigned digits = binary_digits(most);
  for (auto& row : grid) {
    for (std::optional<Rational>& bound : row) {
      if (bound) bound = rounded_down(*bound, digits);
    }
  }
  return grid;
}

}  // namespace

BoundLine line_between(const std::vector<BoundLine>& lines, const search::Blend& direction) {
  BoundLine line{direction, {}, {}};
  const Mix none{&lines.front(), &lines.front(), 0, 0};
  const Mix mix = mix_of(lines, direction).value_or(none);
  for (const auto grids : {&BoundLine::layers, &BoundLine::passes}) {
    const std::vector<BoundLine::Grid>& left = mix.left->*grids;
    const std::vector<BoundLine::Grid>& right = mix.right->*grids;
    (line.*grids).resize(left.size());
    run::parallel_for(left.size(),
                      [&](std::size_t k) { (line.*grids)[k] = mixed(mix, left[k], right[k]); });
  }
  return line;
}

}  // namespace pimbb::dram_pim::network
