// Turning the end of a floating-point simplex into a proof.
//
// The doubles are only trusted to name a basis. For that basis, exact rational numbers come from
// solving with the exact matrix (exact_solve.hpp):
//
//     optimal      duals from B^T y = c_B give a lower bound (safe_bound.hpp), values from
//                  B x_B = -N x_N a feasible point, if they keep all ranges: equal objectives are
//                  the exact optimum
//     infeasible   the row of B^-1 that the dual simplex got stuck in, as Farkas multipliers
//     unbounded    a feasible point and a direction that keeps feasible and lowers the objective
//
// A basis that is optimal in doubles may miss exactly by a trifle (scsd1 with some columns fixed
// has a reduced cost of -7e-17). Then there still is the bound from the duals rounded, or if
// columns lack bounds, none; the answer is called unproven.
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
  /// Objective of the exact solution of the basis; nothing if that breaks a range.
  std::optional<Rational> objective;
};

/// Examines the last solve(); `status` is what it returned. After Status::limit and
/// Status::trouble there is at most a bound, from the multipliers of the last basis.
Certificate certify(const Simplex& simplex, Status status);

}  // namespace pimbb::lp
