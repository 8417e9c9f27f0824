// The mapping that attains the optimum: is it feasible, and what does it cost? The model's rules
// and formulas one by one, loop by loop, in rationals; nothing here is shared with the tree.
#pragma once

#include "problem.hpp"

namespace pimbb_check {

struct Cost {
  Rational latency, energy, activations;
  [[nodiscard]] Rational of(Goal goal, const Problem& p) const;
};

/// Throws a Refusal unless the text is a mapping of the format and feasible.
Cost cost_of_mapping(const Problem& p, const std::string& text);

}  // namespace pimbb_check
