// The mapping that attains the optimum: is it in the space of the question, and what does it cost?
// The model's rules and formulas one by one, loop by loop, in rationals; nothing here is shared
// with the search for a better one.
#pragma once

#include "problem.hpp"

namespace pimbb_check::cim {

struct Cost {
  Rational latency, energy;
  std::int64_t products = 1;  // of all loops
  [[nodiscard]] Rational of(Goal goal, const Problem& p) const;
};

/// Throws a Refusal unless the text is a mapping of the format, feasible, and admitted by the
/// question; that its scheme has the fewest products is left to the caller.
Cost cost_of_mapping(const Problem& p, const std::string& text);

}  // namespace pimbb_check::cim
