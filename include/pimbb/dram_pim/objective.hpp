// What to minimise: one goal, or a list of goals in order of importance.
//
// A goal is a function of three costs of a mapping: latency, energy and row activations. kGoals
// says what is to be known of each; CONTRIBUTING.md says what else a new goal needs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/dram_pim/cost.hpp"

namespace pimbb::dram_pim {

enum class Goal : std::uint8_t { latency, energy, edp, activations, blended };

struct GoalTraits {
  std::string_view name;
  std::string_view unit;    ///< of an exported program's optimum
  std::string_view suffix;  ///< what reports put after a value
  bool latency;             ///< depends on the latency; energy and activations likewise
  bool energy;
  bool activations;
  bool linear;    ///< a weighted sum of costs, so that layers of a network add up
  bool weighted;  ///< by Objective::alpha and beta
};
inline constexpr std::array<GoalTraits, 5> kGoals{
    {{"latency", "cycles", " cycles", true, false, false, true, false},
     {"energy", "nJ", " nJ", false, true, false, true, false},
     {"edp", "nJ * cycles", " nJ*cycles", true, true, false, false, false},
     {"activations", "activations", "", false, false, true, true, false},
     {"blended", "alpha * cycles + beta * nJ", "", true, true, false, true, true}}};

constexpr const GoalTraits& traits(Goal goal) { return kGoals[static_cast<std::size_t>(goal)]; }
constexpr std::string_view name(Goal goal) { return traits(goal).name; }
inline constexpr auto kGoalNames = [] {
  std::array<std::string_view, kGoals.size()> names{};
  for (std::size_t g = 0; g < kGoals.size(); ++g) names[g] = kGoals[g].name;
  return names;
}();

/// Whether less latency may be worth more energy, or the reverse.
constexpr bool trades_off(Goal goal) { return traits(goal).latency && traits(goal).energy; }

/// The costs that goals are made of, of a mapping or added up over a network; or their weights.
struct GoalCosts {
  Rational latency;
  Rational energy;
  Rational activations;
};

struct Objective {
  std::vector<Goal> goals{Goal::latency};  ///< in order of importance; distinct, at least one
  Rational alpha = 1;                      ///< blended = alpha * latency + beta * energy; >= 0
  Rational beta = 1;

  /// Reads "energy" or "latency,energy"; throws InputError naming the allowed goals.
  static Objective parse(std::string_view text);
  /// "latency,energy"
  [[nodiscard]] std::string to_string() const;
  /// Value of one goal for given costs.
  [[nodiscard]] Rational value(Goal goal, const GoalCosts& costs) const;
  [[nodiscard]] Rational value(Goal goal, const Metrics& metrics) const {
    return value(goal, GoalCosts{metrics.latency, metrics.energy, metrics.activations()});
  }
  /// The weight of each cost in a linear goal.
  [[nodiscard]] GoalCosts weights(Goal goal) const;
  /// Whether some goal depends on alpha and beta; whether all are linear.
  [[nodiscard]] bool is_weighted() const;
  [[nodiscard]] bool is_linear() const;
};

}  // namespace pimbb::dram_pim
