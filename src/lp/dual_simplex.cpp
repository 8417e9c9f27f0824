// The iterations of the dual simplex.
#include "lp/dual_simplex.hpp"

#include <cassert>
#include <cmath>

#include "lp/noise.hpp"
#include "lp/tolerances.hpp"
#include "run/debug_log.hpp"

namespace pimbb::lp {
namespace {

constexpr double kDegenerateStep = 1e-11;  // a dual step up to this length is degenerate
constexpr double kShiftedReduced = 1e-5;   // where a shift puts a reduced cost, times noise
constexpr double kPerturbation = 5e-7;     // of a cost, relative
constexpr double kMuchInfeasible = 1e-3;   // relative to the cost: worth a first phase

}  // namespace

DualSimplex::DualSimplex(Workspace& workspace, const IterationBudget& budget,
                         const SimplexOptions& options)
    : work_(workspace),
      budget_(budget),
      options_(options),
      pricing_(workspace),
      ratio_test_(workspace),
      inverse_row_(workspace.scaled.rows),
      pivot_row_(workspace.scaled.variables()),
      column_(workspace.scaled.rows),
      may_perturb_(options.perturb),
      bland_(options.bland) {}

/// Changes a cost such that the reduced cost becomes the given one.
void DualSimplex::shift(int v, double reduced_cost) {
  work_.cost[v] += reduced_cost - work_.reduced[v];
  work_.reduced[v] = reduced_cost;
}

/// Requires reduced costs; computes values if it must. What the perturbed costs of an earlier solve
/// have left dual infeasible is too little: a shift is cheaper.
bool DualSimplex::needs_first_phase() {
  for (int v = 0; v < work_.scaled.variables(); ++v) {
    const double much = kMuchInfeasible * (1 + std::fabs(work_.cost[v]));
    if (work_.dual_violation(v) <= much || std::isfinite(work_.range(v))) continue;
    work_.compute_values();
    return !work_.is_primal_feasible();
  }
  return false;
}

void DualSimplex::make_dual_feasible() {
  for (int v = 0; v < work_.scaled.variables(); ++v) {
    if (work_.dual_violation(v) <= work_.tolerance) continue;
    if (std::isfinite(work_.range(v))) {
      work_.flip(v);
    } else if (work_.status[v] == VariableStatus::at_zero) {
      shift(v, 0.0);
    } else {
      const double size = kShiftedReduced * (1 + noise(v));
      shift(v, work_.status[v] == VariableStatus::at_lower ? size : -size);
    }
  }
}

void DualSimplex::refresh() {
  work_.refactorize();
  work_.compute_reduced();
  finish_refresh();
}

void DualSimplex::finish_refresh() {
  make_dual_feasible();
  assert(work_.is_dual_feasible());
  work_.compute_values();
  fresh_ = true;
}

void DualSimplex::perturb() {
  ++work_.statistics.perturbations;
  PIMBB_LOG("lp", work_.log_number, ": costs perturbed");
  for (int v = 0; v < work_.scaled.variables(); ++v) {
    const bool has_lower = std::isfinite(work_.lower(v));
    const bool has_upper = std::isfinite(work_.upper(v));
    if ((!has_lower && !has_upper) || work_.lower(v) == work_.upper(v)) continue;
    const double size = kPerturbation * (1 + std::fabs(work_.cost[v])) * (1 + noise(v));
    const bool up = work_.status[v] == VariableStatus::at_lower   ? true
                    : work_.status[v] == VariableStatus::at_upper ? false
                    : has_lower && has_upper                      ? work_.cost[v] >= 0
                                                                  : has_lower;
    work_.cost[v] += up ? size : -size;
  }
  refresh();
}

PhaseOutcome DualSimplex::run() {
  assert(work_.is_basis_consistent() && work_.is_nonbasic_at_bounds());
  work_.refactorize();
  work_.compute_reduced();
  if (options_.first_phase && needs_first_phase()) return PhaseOutcome::infeasible_both_ways;
  finish_refresh();
  while (true) {
    if (budget_.is_exhausted(work_.statistics)) return PhaseOutcome::limit;
    if (work_.factor.needs_refactorization()) refresh();
    if (iterate() == Step::finished) return outcome_;
  }
}

/// No basic variable violates a bound, or no variable can enter. Believed only right after a
/// refresh.
DualSimplex::Step DualSimplex::end_without_entering(int row, double direction) {
  if (!fresh_) {
    refresh();
    return Step::retry;
  }
  if (row < 0) {
    outcome_ = banned_ ? PhaseOutcome::numerical_failure : PhaseOutcome::done;
    assert(banned_ || work_.is_primal_feasible());
    return Step::finished;
  }
  PIMBB_LOG("lp", work_.log_number, ": row ", row, " proves infeasibility");
  outcome_ = PhaseOutcome::ray;
  infeasible_row_variable_ = work_.basic[row];
  ray_.assign(static_cast<std::size_t>(work_.scaled.rows), 0.0);
  for (const int k : inverse_row_.nonzero) ray_[k] = direction * inverse_row_.value[k];
  return Step::finished;
}

/// The pivot is computed twice, by row and by column; if the two differ, the factors are
/// inaccurate.
bool DualSimplex::is_pivot_accurate(int row, int entering) {
  const double by_row = pivot_row_.value[entering];
  const double by_column = column_.value[row];
  return std::fabs(by_column) > kPivotTolerance &&
         std::fabs(by_row - by_column) <= kPivotMismatch * (1 + std::fabs(by_column));
}

DualSimplex::Step DualSimplex::iterate() {
  const int row = pricing_.choose(bland_);
  if (row < 0) return end_without_entering(row, 0);
  const int leaving = work_.basic[row];
  const double violation = work_.violation(leaving);
  assert(std::fabs(violation) > work_.tolerance);
  const double direction = violation > 0 ? 1.0 : -1.0;
  work_.inverse_row(row, inverse_row_);
  if (!pricing_.correct(row, inverse_row_) && !bland_) return Step::retry;
  work_.price(inverse_row_, pivot_row_);
  const int entering = ratio_test_.choose(pivot_row_, direction, std::fabs(violation), bland_);
  if (entering < 0) return end_without_entering(row, direction);
  work_.column(entering, column_);
  if (!is_pivot_accurate(row, entering)) {
    if (fresh_) {
      PIMBB_LOG("lp", work_.log_number, ": row ", row, " banned, no accurate pivot");
      pricing_.ban(row);
      banned_ = true;
    } else {
      refresh();
    }
    return Step::retry;
  }

  PIMBB_LOG("lp", work_.log_number, ": dual iteration ", work_.statistics.dual_iterations + 1,
            bland_ ? " (Bland)" : "", ", row ", row, ": variable ", leaving, " leaves, violation ",
            violation, "; variable ", entering, " enters, pivot ", column_.value[row],
            ", reduced cost ", work_.reduced[entering], ", ", ratio_test_.flips().size(), " flips");
  apply_flips();
  update_reduced(row, entering);
  const VariableStatus leaving_status =
      violation > 0 ? VariableStatus::at_upper : VariableStatus::at_lower;
  update_values(row, entering, leaving_status);
  pricing_.update(row, entering, column_, inverse_row_);
  work_.exchange(row, entering, leaving_status, column_);
  ++work_.statistics.dual_iterations;
  if (bland_) ++work_.statistics.bland_iterations;
  fresh_ = false;
  if (banned_) pricing_.lift_bans();
  banned_ = false;
  count_degenerate_step(std::fabs(work_.reduced[leaving]));
  return Step::taken;
}

/// Reduced costs after the step. Variables whose reduced cost would change sign get a cost shift,
/// the entering one included, so that the objective never decreases.
void DualSimplex::update_reduced(int row, int entering) {
  const int leaving = work_.basic[row];
  const bool wrong_sign =
      work_.status[entering] == VariableStatus::at_lower   ? work_.reduced[entering] < 0
      : work_.status[entering] == VariableStatus::at_upper ? work_.reduced[entering] > 0
                                                           : false;
  if (wrong_sign) shift(entering, 0.0);
  const double step = work_.reduced[entering] / column_.value[row];
  if (step != 0) {
    for (const int v : pivot_row_.nonzero) {
      if (work_.status[v] != VariableStatus::basic) work_.reduced[v] -= step * pivot_row_.value[v];
    }
  }
  work_.reduced[entering] = 0.0;
  work_.reduced[leaving] = -step;
  for (const int v : ratio_test_.shift_candidates()) {
    if (work_.dual_violation(v) > 0) shift(v, 0.0);
  }
}

/// Moves the flipped variables to their other bounds; one ftran updates the basic values.
void DualSimplex::apply_flips() {
  if (ratio_test_.flips().empty()) return;
  SparseVector change(work_.scaled.rows);
  for (const int v : ratio_test_.flips()) {
    work_.flip(v);
    const double target = work_.nonbasic_value(v);
    const double by = target - work_.value[v];
    work_.value[v] = target;
    work_.scaled.for_each_entry(v, [&](int i, double a) { change.value[i] -= a * by; });
  }
  change.collect(0.0);
  work_.factor.ftran(change);
  for (const int i : change.nonzero) work_.value[work_.basic[i]] += change.value[i];
}

void DualSimplex::update_values(int row, int entering, VariableStatus leaving_status) {
  const int leaving = work_.basic[row];
  const double target =
      leaving_status == VariableStatus::at_lower ? work_.lower(leaving) : work_.upper(leaving);
  const double step = (work_.value[leaving] - target) / column_.value[row];
  for (const int i : column_.nonzero) work_.value[work_.basic[i]] -= step * column_.value[i];
  work_.value[entering] += step;
  work_.value[leaving] = target;
}

void DualSimplex::count_degenerate_step(double dual_step) {
  if (dual_step > kDegenerateStep) {
    degenerate_steps_ = 0;
    bland_ = options_.bland;
    return;
  }
  ++degenerate_steps_;
  if (may_perturb_ && degenerate_steps_ >= options_.patience) {
    may_perturb_ = false;
    degenerate_steps_ = 0;
    perturb();
  } else if (degenerate_steps_ >= options_.patience + work_.scaled.rows) {
    PIMBB_LOG("lp", work_.log_number, ": Bland's rule after ", degenerate_steps_,
              " degenerate steps");
    bland_ = true;
  }
}

}  // namespace pimbb::lp
