// Goals on scaled integers: value and bound of a latency and a total energy.
//
// A value is an unsigned integer of 256 bits: latency, total energy (Units), their product, or the
// weighted sum. Limits that the question sets, and goals minimised before, are caps: a nest whose
// bound exceeds one of them cannot be the answer.
#pragma once

#include <optional>
#include <vector>

#include "cim/cost/units.hpp"
#include "exact/int128.hpp"
#include "pimbb/cim/question.hpp"

namespace pimbb::cim::mapper {

using cost::Energy;
using cost::Time;

/// What a unit of time is worth in units of dynamic energy, for nests that may be better than a
/// cutoff.
struct Exchange {
  std::optional<std::int64_t> most = {};  ///< absent: no energy makes up for time
  std::int64_t least = 0;

  /// Whether a nest that takes `energy` more than another makes up for a delay of the other one,
  /// at most `each` times `loops` (negative: the other one ends earlier by at least that).
  [[nodiscard]] bool pays(Time each, std::int64_t loops, Energy energy) const {
    if (each <= 0) return energy >= 0 || energy >= Int128{each} * loops * least;
    Int128 worth = 0;
    return energy >= 0 && most &&
           !__builtin_mul_overflow(Int128{each} * loops, Int128{*most}, &worth) && energy >= worth;
  }
};

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
  /// The exchange for nests whose latency and total energy are at least these, positive.
  ///
  /// A total is cycle * energy + leakage * latency. A nest y that takes e more dynamic energy than
  /// another, x, and ends d earlier is not better than x if
  ///   energy   cycle e >= leakage d
  ///   blended  the same with leakage + alpha / beta
  ///   edp      (L + d)(T - u) <= L T, where L and T are those of y, and u = cycle e - leakage d.
  ///            If d > 0, that holds if u >= d T / L; and as L T < cutoff, T / L < cutoff / L^2. If
  ///            d < 0, it holds if -u <= -d T / L, and T / L > T^2 / cutoff.
  /// So a unit of time is worth leakage and, of EDP, cutoff / L^2 at most and T^2 / cutoff at
  /// least. Where there are caps, or no energy is counted, nothing is exchanged.
  [[nodiscard]] Exchange exchange(Time latency, Int128 total, const Wide& cutoff) const;
  [[nodiscard]] Rational unscaled(const Wide& value) const;
  /// The largest value that is not above `value` >= 0; infinity if that is beyond 256 bits.
  [[nodiscard]] Wide scaled_floor(const Rational& value) const;
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
