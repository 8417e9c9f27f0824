// What to minimise: one goal, or a list of goals in order of importance.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb::cim {

enum class Goal : std::uint8_t { latency, energy, edp, blended };
inline constexpr std::array<std::string_view, 4> kGoalNames{"latency", "energy", "edp", "blended"};
constexpr std::string_view name(Goal goal) { return kGoalNames[static_cast<std::size_t>(goal)]; }

struct Objective {
  std::vector<Goal> goals{Goal::latency};  ///< in order of importance; distinct, at least one
  Rational alpha = 1;                      ///< blended = alpha * latency + beta * energy; >= 0
  Rational beta = 1;

  /// Reads "energy" or "latency,energy"; throws InputError naming the allowed goals.
  static Objective parse(std::string_view text);
  /// "latency,energy"
  [[nodiscard]] std::string to_string() const;
  /// Value of one goal: cycles, nJ, nJ * cycles, or the blend.
  [[nodiscard]] Rational value(Goal goal, const Rational& latency, const Rational& energy) const;
};

}  // namespace pimbb::cim
