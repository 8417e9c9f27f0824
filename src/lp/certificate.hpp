// Turning the result of a floating-point simplex into an exact proof.
//
// The doubles only determine a basis. Exact rational numbers for that basis are computed with the
// exact matrix (exact_solve.hpp):
//
//     optimal      duals from B^T y = c_B give a lower bound (safe_bound.hpp), values from
//                  B x_B = -N x_N a feasible point, if they keep all ranges: equal objectives are
//                  the exact optimum
//     infeasible   the row of B^-1 in which no variable could enter, as Farkas multipliers
//     unbounded    a feasible point and a direction that stays feasible and lowers the objective
//
// A basis that is optimal in doubles may be slightly infeasible in exact arithmetic (scsd1 with
// some columns fixed has a reduced cost of -7e-17). Then only the bound from the rounded duals is
// left, or none if columns have no bounds; the answer is reported as unproven.
#pragma once

#include <optional>

#include "lp/simplex.hpp"

namespace pimbb::lp {

struct Certificate {
  /// Whether the status is proved: optimum attained and equal to its bound, or no feasible point,
  /// or a feasible point and a ray.
  bool is_proved = false;
  /// The best lower bound of the objective; nothing for -infinity (and if not solved to
  /// optimality).
  std::optional<Rational> bound;
  /// Objective of the exact solution of the basis; nothing if that violates a range.
  std::optional<Rational> objective;
};

/// Examines the last solve(); `status` is what it returned. After SimplexStatus::limit and
/// SimplexStatus::numerical_failure there is at most a bound, from the multipliers of the last
/// basis.
Certificate certify(const Simplex& simplex, SimplexStatus status);

}  // namespace pimbb::lp
