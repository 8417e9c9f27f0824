// The least that any mapping of a layer costs, in closed form: from the problem alone, without a
// search.
#pragma once

#include "problem.hpp"

namespace pimbb_check {

struct LeastCost {
  Rational latency, energy, activations;
  [[nodiscard]] Rational of(Goal goal, const Problem& p) const;
};

/// Of the problem's layer with these bounds in place of its own.
LeastCost least_cost(const Problem& p, const Factors& bounds);

}  // namespace pimbb_check
