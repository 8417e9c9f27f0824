// Goals on scaled integers: value and bound of a latency and a total energy.
//
// A value is an unsigned integer of 256 bits: latency, total energy (Units), their product, or the
// weighted sum. Limits that the question sets, and goals minimised before, are caps: a nest whose
// bound exceeds one of them cannot be the answer.
#pragma once

#include <vector>

#include "cim/cost/units.hpp"
#include "exact/int128.hpp"
#include "pimbb/cim/question.hpp"

namespace pimbb::cim::mapper {

using cost::Energy;
using cost::Time;

class Target {
 public:
  /// With the caps of the question. Throws InputError if the weights of a blend exceed the exact
  /// range.
  Target(const cost::Units& units, const Question& question, Goal goal);

  [[nodiscard]] Goal goal() const { return goal_; }
  /// Later goals must keep the value of this one.
  void add_cap(Goal goal, const Wide& value) { caps_.emplace_back(goal, value); }

  /// Value for a latency and a total energy (Units::total).
  [[nodiscard]] Wide value(Time latency, Int128 total) const {
    return value_of(goal_, latency, total);
  }
  /// Whether a nest with these lower bounds may be better than `cutoff` and keep all caps.
  [[nodiscard]] bool admits(Time latency, Int128 total, const Wide& cutoff) const {
    if (!(value(latency, total) < cutoff)) return false;
    for (const auto& [goal, most] : caps_) {
      if (most < value_of(goal, latency, total)) return false;
    }
    return true;
  }
  /// Whether a mapping keeps all caps.
  [[nodiscard]] bool keeps_caps(Time latency, Int128 total) const {
    return admits(latency, total, Wide::infinity());
  }
  [[nodiscard]] Rational unscaled(const Wide& value) const;
  /// Whether the value, or a cap, depends on dynamic energy.
  [[nodiscard]] bool uses_energy() const;

 private:
  void weigh(const Objective& objective);
  /// What one unit of a goal's value is worth.
  [[nodiscard]] Rational unit_of(Goal goal) const;
  [[nodiscard]] Wide value_of(Goal goal, Time latency, Int128 total) const {
    switch (goal) {
      case Goal::latency: return Wide::from(latency);
      case Goal::energy: return Wide::from(total);
      case Goal::edp: return Wide::product(latency, total);
      default: return Wide::product(alpha_, latency) + Wide::product(beta_, total);
    }
  }

  const cost::Units& units_;
  Goal goal_;
  std::vector<std::pair<Goal, Wide>> caps_;
  Int128 alpha_ = 0;  // of a blend: weight of a time unit
  Int128 beta_ = 0;   // and of a unit of total energy
  Rational blend_unit_ = 1;
};

}  // namespace pimbb::cim::mapper
