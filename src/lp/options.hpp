// How the simplex guards against cycling. The defaults are for use; tests turn the guards on one by
// one, so that each is known to suffice alone.
#pragma once

namespace pimbb::lp {

struct Options {
  /// Whether the dual simplex may perturb costs after `patience` idle steps (steps of length zero).
  bool perturb = true;
  /// After `patience` + number of rows idle steps, Bland's rule holds until a step has some length.
  int patience = 40;
  /// Bland's rule from first to last: slow.
  bool bland = false;
};

}  // namespace pimbb::lp
