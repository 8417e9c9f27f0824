// The yardstick: a textbook simplex in exact rationals, with a dense tableau and Bland's rule.
//
// Slow and simple, and sharing nothing with src/lp but the problem's data: every bound becomes a
// row or a substitution, every row gets a slack or not and an artificial variable, phase one drives
// the artificial ones out.
#pragma once

#include "lp/linear_program.hpp"
#include "lp/simplex.hpp"

namespace testkit {

struct ExactResult {
  pimbb::lp::SimplexStatus status;  ///< optimal, infeasible or unbounded
  pimbb::Rational objective;
};

ExactResult solve_exactly(const pimbb::lp::LinearProgram& program);

}  // namespace testkit
