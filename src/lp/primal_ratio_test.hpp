// The ratio test of the primal simplex: how far the entering variable can move, and which basic
// variable blocks it.
//
// Two passes (Harris 1973): the first finds the longest step that leaves every basic variable
// within the tolerance of its bounds, the second takes, among those that reach their true bound
// within that step, the one of largest pivot. A boxed variable may also move to its other bound
// without a change of basis.
#pragma once

#include "lp/workspace.hpp"

namespace pimbb::lp {

struct PrimalStep {
  enum class Kind { exchange, flip, unbounded };
  Kind kind = Kind::unbounded;
  int row = -1;
  double length = 0;
  VariableStatus leaving_status = VariableStatus::at_lower;  ///< of the variable that leaves
};

/// `column` = B^-1 a of the entering variable, `direction` +1 if it rises, -1 if it falls. Under
/// Bland's rule ties go to the least index, without tolerance.
PrimalStep primal_ratio_test(const Workspace& workspace, int entering, const SparseVector& column,
                             double direction, bool bland);

}  // namespace pimbb::lp
