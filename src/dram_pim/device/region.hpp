// A set of mappings of one slice on which the costs of the device are linear.
//
// Let L, E and A be latency, energy and activations of a slice's mapping on one unit. For a split
// of the layer the device costs
//
//     x = m + s L                    latency: m the transfers and the launch, s the refresh
//     y = units E + e + p x          energy: e that of links and additions, p the static power
//     z = units A                    activations
//
// if phases follow each other. If they overlap, there are two regions: with s L at most the longest
// transfer c the latency is launch + c, whatever L is (s = 0); all other mappings of any use cost
// less energy than the best of these, and their latency is launch + s L. Each region has caps that
// tell it from the other.
#pragma once

#include <optional>
#include <vector>

#include "pimbb/dram_pim/device_cost.hpp"
#include "pimbb/dram_pim/question.hpp"

namespace pimbb::dram_pim::device {

/// A transfer offset, units and energy offset, and the split that has them.
struct Offer {
  Rational time;    ///< launch + in + out; if phases overlap, max(in, out)
  Rational energy;  ///< of links and additions
  std::int64_t units = 1;
  Split split;
};

/// constant + latency * L + energy * E + activations * A
struct Line {
  Rational constant, latency, energy, activations;
};

struct Region {
  Rational time, stretch, energy, power;  // m, s, e, p
  std::int64_t units = 1;
  std::vector<GoalCap> caps;  ///< on L, E and A
  /// Weights of L and E whose blend has a cap: mappings on one line are as good as each other.
  std::optional<std::pair<Rational, Rational>> blend;

  [[nodiscard]] Line latency_line() const { return {time, stretch, 0, 0}; }
  [[nodiscard]] Line energy_line() const {
    return {energy + power * time, power * stretch, units, 0};
  }
  /// A goal that is linear.
  [[nodiscard]] Line line(const Objective& objective, Goal goal) const;
};

/// The value of a line.
Rational value_of(const Line& line, const GoalCosts& slice);

}  // namespace pimbb::dram_pim::device
