// What a section claims: no mapping that keeps the limits and the goals before has a value of the
// goal below the optimum; or, without a goal, that none keeps the limits; or that with none
// something larger is better, of which the mappings are a part.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "storage.hpp"

namespace pimbb_check {

/// What later costs of a partial mapping depend on, besides its innermost tile.
template <class Int>
struct State {
  std::size_t s;       // stationary tensor, or kNoTensor
  std::int64_t outer;  // and how often it is swept
  Terms<Int> sums;
  Int activations;
};

/// Of a part of the space: something in it may refute the claim; nothing that keeps the goals
/// before is better; nothing keeps them.
enum class Verdict { open, bound, cap };

/// A claim about something larger.
template <class Int>
struct WholeClaim {
  /// Whether with a mapping that costs no less it may be better.
  std::function<bool(Int latency, Int energy, Int activations)> may_be_better;
  std::array<bool, 3> looks_at{};  // latency, energy, activations
  /// By threshold: slower than the threshold before, no mapping that spends more makes it better.
  std::vector<Int> most_energy;

  /// `thresholds` as the claim has them.
  void prepare(const std::vector<Int>& thresholds) {
    most_energy.clear();
    for (std::size_t k = 0; k < thresholds.size(); ++k) {
      most_energy.push_back(most(k == 0 ? 0 : thresholds[k - 1] + 1));
    }
  }
  [[nodiscard]] Verdict verdict(const std::vector<Int>& thresholds, Int latency, Int energy,
                                Int activations) const {
    const auto k = static_cast<std::size_t>(
        std::lower_bound(thresholds.begin(), thresholds.end(), latency) - thresholds.begin());
    if (energy > most_energy.at(k)) return Verdict::bound;
    return may_be_better(latency, energy, activations) ? Verdict::open : Verdict::bound;
  }

 private:
  /// The most energy with which it may be better, -1 if there is none, or kInfinity.
  [[nodiscard]] Int most(Int latency) const {
    if (latency >= kInfinity<Int> || !may_be_better(latency, 0, 0)) return -1;
    Int low = 0;
    Int high = 1;
    for (; high < kInfinity<Int> && may_be_better(latency, high, 0); high *= 2) low = high;
    if (high >= kInfinity<Int>) return kInfinity<Int>;
    while (high - low > 1) {
      const Int middle = low + (high - low) / 2;
      (may_be_better(latency, middle, 0) ? low : high) = middle;
    }
    return low;
  }
};

template <class Int>
struct Claim {
  using Wide = Wider<Int>;  // holds every value: at most the sum of two products

  Int alpha{}, beta{};                   // of blended, over one denominator
  std::array<Int, 3> optimum{};          // latency, energy, activations of the incumbent
  std::vector<Goal> goals;               // limits, then goals; the last one is to be proven
  std::vector<Wide> values;              // of each, the limit or the optimum
  bool none = false;                     // all are limits
  std::optional<WholeClaim<Int>> whole;  // instead of goals
  std::vector<Int> thresholds;           // ascending; the last is kInfinity

  void add(Goal goal) {
    goals.push_back(goal);
    values.push_back(value(goal, optimum[0], optimum[1], optimum[2]));
  }

  void add_limit(Goal goal, const Wide& most) {
    goals.push_back(goal);
    values.push_back(most);
  }

  /// Whether a goal so far looks at the latency, the energy or the activations.
  [[nodiscard]] bool looks_at(Goal cost) const {
    if (whole) {
      return whole->looks_at[cost == Goal::latency ? 0 : cost == Goal::energy ? 1 : 2];
    }
    return std::any_of(goals.begin(), goals.end(), [&](Goal goal) {
      return goal == cost ||
             (cost != Goal::activations && (goal == Goal::edp || goal == Goal::blended));
    });
  }

  [[nodiscard]] Wide value(Goal goal, Int latency, Int energy, Int activations) const {
    if (goal == Goal::latency) return latency;
    if (goal == Goal::energy) return energy;
    if (goal == Goal::activations) return activations;
    if (goal == Goal::edp) return Wide(latency) * Wide(energy);
    return Wide(alpha) * Wide(latency) + Wide(beta) * Wide(energy);
  }

  /// Of all mappings that cost no less than this.
  [[nodiscard]] Verdict verdict(Int latency, Int energy, Int activations) const {
    if (whole) return whole->verdict(thresholds, latency, energy, activations);
    for (std::size_t g = 0; g + (none ? 0 : 1) < goals.size(); ++g) {
      if (value(goals[g], latency, energy, activations) > values[g]) return Verdict::cap;
    }
    if (none) return Verdict::open;
    const bool better = value(goals.back(), latency, energy, activations) < values.back();
    return better ? Verdict::open : Verdict::bound;
  }

  /// The same if the energy is at least `energy` + energies[k] for all that are no slower than
  /// threshold k.
  Verdict judge(Int latency, Int energy, Int activations, const Int* energies) const {
    Verdict worst = Verdict::cap;
    for (std::size_t k = 0; k < thresholds.size() && worst != Verdict::open; ++k) {
      // Completions slower than threshold k - 1, but not than threshold k.
      if (thresholds[k] < latency || energies[k] == kInfinity<Int>) continue;
      const Int slow = k == 0 ? latency : std::max(latency, thresholds[k - 1] + 1);
      worst = std::min(worst, verdict(slow, plus(energy, energies[k]), activations));
    }
    return worst;
  }

  /// Whether whatever follows `b` is no better for the goals than the same after `a`.
  [[nodiscard]] bool no_worse(const State<Int>& a, const State<Int>& b,
                              std::size_t open_count) const {
    if (a.s != b.s || a.outer != b.outer) return false;
    if (looks_at(Goal::latency)) {
      if (a.sums.latency > b.sums.latency) return false;
      for (std::size_t i = 0; i < open_count; ++i) {
        if (a.sums.open[i] > b.sums.open[i]) return false;
      }
    }
    return (!looks_at(Goal::energy) || a.sums.energy <= b.sums.energy) &&
           (!looks_at(Goal::activations) || a.activations <= b.activations);
  }
};

}  // namespace pimbb_check
