// Known points of a front, for a search that looks for all of it at once.
//
// A search for one optimum has one number to beat. A search for a front has a staircase: the costs
// of the mappings known so far that no other one dominates. A part of the space is of no use if its
// lower bounds, together, are no better than one of the points: then every mapping in it is as bad
// as that point on all axes. Costs that are no axis do not count.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "dram_pim/mapper/costs.hpp"
#include "exact/int128.hpp"
#include "pimbb/dram_pim/objective.hpp"

namespace pimbb::dram_pim::mapper {

/// The part of `costs` that a goal of one cost is about.
inline Int128 cost_of(Goal goal, const Costs& costs) {
  if (goal == Goal::latency) return costs.latency;
  return goal == Goal::energy ? costs.energy : costs.activations;
}

class Staircase {
 public:
  /// `axes`: two or three different ones of latency, energy and activations.
  explicit Staircase(std::span<const Goal> axes) : count_(axes.size()) {
    std::ranges::copy(axes, axes_.begin());
    std::ranges::sort(axes_.begin(), axes_.begin() + static_cast<std::ptrdiff_t>(count_));
  }

  [[nodiscard]] std::span<const Goal> axes() const { return {axes_.data(), count_}; }
  [[nodiscard]] bool has(Goal axis) const { return std::ranges::count(axes(), axis) > 0; }
  /// The points, by ascending costs on the first axis.
  [[nodiscard]] const std::vector<Costs>& points() const { return points_; }

  /// Whether a point costs no more on any axis: nothing with these lower bounds is new.
  [[nodiscard]] bool covers(const Costs& least) const {
    const auto later =
        std::ranges::upper_bound(points_, cost_of(axes_[0], least), {},
                                 [&](const Costs& p) { return cost_of(axes_[0], p); });
    // The last ones cost least on the second axis, and all of them no more on the first.
    for (auto it = later; it != points_.begin();) {
      if (no_worse(*--it, least)) return true;
      if (count_ == 2) return false;
    }
    return false;
  }

  /// Adds a point that is not covered, in place of those that it dominates.
  void add(const Costs& point) {
    std::erase_if(points_, [&](const Costs& other) { return no_worse(point, other); });
    const auto at = std::ranges::upper_bound(points_, cost_of(axes_[0], point), {},
                                             [&](const Costs& p) { return cost_of(axes_[0], p); });
    points_.insert(at, point);
  }

  /// Whether `a` costs no more than `b` on any axis.
  [[nodiscard]] bool no_worse(const Costs& a, const Costs& b) const {
    return std::ranges::all_of(axes(), [&](Goal g) { return cost_of(g, a) <= cost_of(g, b); });
  }

  /// A number that is greater for costs that are greater on all axes, to take promising parts of
  /// the space first: a product of two axes.
  [[nodiscard]] Wide rank(const Costs& costs) const {
    return Wide::product(cost_of(axes_[0], costs), cost_of(axes_[1], costs));
  }

 private:
  std::array<Goal, 3> axes_{};
  std::size_t count_;
  std::vector<Costs> points_;
};

}  // namespace pimbb::dram_pim::mapper
