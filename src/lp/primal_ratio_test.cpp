// Harris' two passes, and Bland's one.
#include "lp/primal_ratio_test.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "lp/tolerances.hpp"

namespace pimbb::lp {
namespace {

/// A basic variable that moves: how far it is from the bound it moves to, and how fast.
struct Mover {
  int variable;
  double distance;
  double speed;
  bool falls;
  [[nodiscard]] bool can_block() const {
    return speed > kPivotTolerance && std::isfinite(distance);
  }
};

Mover mover(const Workspace& work, int row, double rate) {
  const int v = work.basic[row];
  const bool falls = rate > 0;
  const double distance = falls ? work.value[v] - work.lower(v) : work.upper(v) - work.value[v];
  return {v, distance, std::fabs(rate), falls};
}

}  // namespace

PrimalStep primal_ratio_test(const Workspace& work, int entering, const SparseVector& column,
                             double direction, bool bland) {
  const double tolerance = bland ? 0.0 : work.tolerance;
  double longest = kInfinity;
  for (const int row : column.nonzero) {
    const Mover m = mover(work, row, direction * column.value[row]);
    if (!m.can_block()) continue;
    longest = std::min(longest, (std::max(m.distance, 0.0) + tolerance) / m.speed);
  }
  if (bland) longest += kTie;

  PrimalStep step;
  double best = 0;
  for (const int row : column.nonzero) {
    const Mover m = mover(work, row, direction * column.value[row]);
    if (!m.can_block() || std::max(m.distance, 0.0) / m.speed > longest) continue;
    const bool better =
        step.row < 0 || (bland ? m.variable < work.basic[step.row] : m.speed > best);
    if (!better) continue;
    best = m.speed;
    step = {PrimalStep::Kind::exchange, row, std::max(m.distance, 0.0) / m.speed,
            m.falls ? VariableStatus::at_lower : VariableStatus::at_upper};
  }
  const double range = work.range(entering);
  if (std::isfinite(range) && (step.row < 0 || range <= step.length)) {
    return {PrimalStep::Kind::flip, -1, range, VariableStatus::at_lower};
  }
  if (step.row < 0) return {};
  assert(step.length >= 0 && std::fabs(column.value[step.row]) > kPivotTolerance);
  return step;
}

}  // namespace pimbb::lp
