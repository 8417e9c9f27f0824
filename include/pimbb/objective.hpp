// What to minimise: one goal, or a list of goals in order of importance.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pimbb/cost.hpp"

namespace pimbb {

enum class Goal : std::uint8_t { latency, energy, edp, activations, blended };
inline constexpr std::array<std::string_view, 5> kGoalNames{"latency", "energy", "edp",
                                                            "activations", "blended"};

struct Objective {
  std::vector<Goal> goals{Goal::latency};  ///< minimised in turn; at least one, none twice
  Rational alpha = 1;                      ///< blended = alpha * latency + beta * energy; >= 0
  Rational beta = 1;

  /// Reads "energy" or "latency,energy"; throws InputError naming the allowed goals.
  static Objective parse(std::string_view text);
  /// "latency,energy"
  [[nodiscard]] std::string to_string() const;
  /// Value of one goal for given metrics.
  [[nodiscard]] Rational value(Goal goal, const Metrics& metrics) const;
};

}  // namespace pimbb
