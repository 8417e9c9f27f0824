// The goal of one search under caps from earlier goals, in scaled integers.
//
// The goals of a list are minimised one after the other: when the first one is proven, its optimum
// becomes a cap, and the second one is minimised among the mappings that keep the cap. The values
// of all goals are 256-bit integers: latency, energy and activations as they are, EDP as the
// product of the first two, a blend as a weighted sum over the common denominator.
//
// A target may instead be a whole front (staircase.hpp). Its values are then ranks, which say what
// to look at first, and infinity for what a known point covers.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/mapper/staircase.hpp"
#include "exact/int128.hpp"
#include "pimbb/dram_pim/objective.hpp"

namespace pimbb::dram_pim::mapper {

class Target {
 public:
  /// Throws InputError if a blend's weights do not fit the integers.
  Target(const Scale& scale, const Objective& objective, Goal goal);
  /// Whether they do.
  [[nodiscard]] static bool weights_fit(const Scale& scale, const Objective& objective);

  [[nodiscard]] Goal goal() const { return goal_; }
  /// The same caps with another goal, also in place of a front.
  [[nodiscard]] Target with_goal(Goal goal) const {
    Target other = *this;
    other.goal_ = goal;
    other.front_ = nullptr;
    return other;
  }
  /// Requires `goal` to be at most `value`.
  void add_cap(Goal goal, const Wide& value) { caps_.emplace_back(goal, value); }
  [[nodiscard]] bool has_caps() const { return !caps_.empty(); }
  /// The cap on the latency itself, or kInfinity.
  [[nodiscard]] Int128 latency_cap() const;
  /// The cap on the goal itself, if there is one.
  [[nodiscard]] std::optional<Wide> own_cap() const;

  /// Makes it the target of a front, whose axes stand for the goal. Keeps a reference.
  void set_front(const Staircase& front) { front_ = &front; }
  [[nodiscard]] const Staircase* front() const { return front_; }

  [[nodiscard]] Wide value(const Costs& costs) const {
    if (front_) return front_->covers(costs) ? Wide::infinity() : front_->rank(costs);
    return value_of(goal_, costs);
  }
  [[nodiscard]] Wide value_of(Goal goal, const Costs& costs) const;
  /// Whether a complete mapping keeps every cap.
  [[nodiscard]] bool keeps_caps(const Costs& costs) const;

  /// A lower bound on the goal for every completion within the caps, Wide::infinity() if there is
  /// none. `rest`: the entry of the cost-to-go; `least_activations`: the activations still to be
  /// added.
  [[nodiscard]] Wide bound(const Sums& sums, const CostToGo& cost_to_go,
                           const CostToGo::Entry& rest, Int128 least_activations) const;

  /// The least costs of completions within the caps, one for each bracket of latencies that may
  /// have some.
  [[nodiscard]] std::vector<Costs> corners(const Sums& sums, const CostToGo& cost_to_go,
                                           const CostToGo::Entry& rest,
                                           Int128 least_activations) const;

  /// The parts of Sums on which the goal and the caps depend.
  [[nodiscard]] bool uses_latency() const;
  [[nodiscard]] bool uses_energy() const;
  [[nodiscard]] bool uses_activations() const;

  /// Whether `a` is no worse than `b` in the goal and the caps after any common completion.
  [[nodiscard]] bool no_worse(const Sums& a, const Sums& b, std::size_t open_count) const;

  /// The largest latency that a mapping with at least `least_energy` can have and still be strictly
  /// better than `incumbent`; kInfinity if the goal sets no limit.
  [[nodiscard]] Int128 useful_latency(const Wide& incumbent, Int128 least_energy) const;

  /// The goal's value as a rational, from its scaled form.
  [[nodiscard]] Rational unscaled(const Wide& value) const;
  /// The largest scaled value that is no more than `value`; nothing if `value` is negative.
  [[nodiscard]] std::optional<Wide> scaled_floor(const Rational& value) const;
  /// The same as a cap: a value that no mapping reaches excludes none.
  [[nodiscard]] std::optional<Wide> scaled_cap(const Rational& value) const;
  /// The largest cap that excludes `value`; nothing if no mapping costs less.
  [[nodiscard]] std::optional<Wide> scaled_below(const Rational& value) const;

 private:
  [[nodiscard]] bool depends_on(bool GoalTraits::*cost) const;
  [[nodiscard]] static Int128 least_latency(const Sums& sums, const CostToGo::Entry& rest);
  [[nodiscard]] Wide trade_off(Goal goal, Int128 latency, Int128 energy) const;
  /// Calls `visit` with the least costs in each bracket of latencies that has completions.
  template <class Visit>
  static void for_each_bracket(Costs so_far, const Int128* energies,
                               const std::vector<Int128>& thresholds, const Visit& visit) {
    const Int128 spent = so_far.energy;
    for (std::size_t k = 0; k < thresholds.size(); ++k) {
      if (thresholds[k] < so_far.latency) continue;
      if (energies[k] < kInfinity) {
        so_far.energy = spent + energies[k];
        visit(so_far);
      }
      so_far.latency = thresholds[k] + 1;
    }
  }
  [[nodiscard]] Wide bound_of(Goal goal, Int128 latency, Int128 energy, const Int128* energies,
                              const std::vector<Int128>& thresholds, Int128 activations) const;

  const Scale& scale_;
  Goal goal_;
  const Staircase* front_ = nullptr;  // null: the target is the goal
  std::vector<std::pair<Goal, Wide>> caps_;
  Int128 alpha_ = 0;  // blended = alpha * latency + beta * energy, over blend_unit_
  Int128 beta_ = 0;
  Rational blend_unit_ = 1;
};

}  // namespace pimbb::dram_pim::mapper
