// How the simplex prevents cycling. The defaults are for use; tests switch the safeguards on one by
// one, to show that each of them suffices alone.
#pragma once

namespace pimbb::lp {

struct SimplexOptions {
  /// Whether the dual simplex may perturb costs after `patience` degenerate steps (of length zero).
  bool perturb = true;
  /// After `patience` + number of rows degenerate steps, Bland's rule applies until a step is not
  /// degenerate.
  int patience = 40;
  /// Bland's rule in all iterations: slow.
  bool bland = false;
  /// Whether a basis that is feasible neither way is made dual feasible first (dual_simplex.hpp).
  bool first_phase = true;
};

}  // namespace pimbb::lp
