// The iterations of the dual simplex.
#include "lp/dual_simplex.hpp"

#include <cmath>

#include "lp/noise.hpp"
#include "lp/tolerances.hpp"

namespace pimbb::lp {
namespace {

constexpr double kIdleStep = 1e-11;       // a dual step this short counts as none
constexpr double kShiftedReduced = 1e-5;  // where a shift puts a reduced cost, times noise
constexpr double kPerturbation = 5e-7;    // of a cost, relative

}  // namespace

DualSimplex::DualSimplex(Workspace& workspace, const Budget& budget, const Options& options)
    : work_(workspace),
      budget_(budget),
      options_(options),
      pricing_(workspace),
      ratio_test_(workspace),
      inverse_row_(workspace.model.rows),
      pivot_row_(workspace.model.variables()),
      column_(workspace.model.rows),
      may_perturb_(options.perturb),
      bland_(options.bland) {}

/// Changes a cost such that the reduced cost becomes the given one.
void DualSimplex::shift(int v, double reduced_cost) {
  work_.cost[v] += reduced_cost - work_.reduced[v];
  work_.reduced[v] = reduced_cost;
}

void DualSimplex::make_dual_feasible() {
  for (int v = 0; v < work_.model.variables(); ++v) {
    if (work_.dual_violation(v) <= work_.tolerance) continue;
    if (std::isfinite(work_.range(v))) {
      work_.flip(v);
    } else if (work_.place[v] == Place::at_zero) {
      shift(v, 0.0);
    } else {
      const double size = kShiftedReduced * (1 + noise(v));
      shift(v, work_.place[v] == Place::at_lower ? size : -size);
    }
  }
}

void DualSimplex::refresh() {
  work_.refactorize();
  work_.compute_reduced();
  make_dual_feasible();
  work_.compute_values();
  fresh_ = true;
}

void DualSimplex::perturb() {
  ++work_.statistics.perturbations;
  for (int v = 0; v < work_.model.variables(); ++v) {
    const bool has_lower = std::isfinite(work_.lower(v));
    const bool has_upper = std::isfinite(work_.upper(v));
    if ((!has_lower && !has_upper) || work_.lower(v) == work_.upper(v)) continue;
    const double size = kPerturbation * (1 + std::fabs(work_.cost[v])) * (1 + noise(v));
    const bool up = work_.place[v] == Place::at_lower   ? true
                    : work_.place[v] == Place::at_upper ? false
                    : has_lower && has_upper            ? work_.cost[v] >= 0
                                                        : has_lower;
    work_.cost[v] += up ? size : -size;
  }
  refresh();
}

Outcome DualSimplex::run() {
  refresh();
  while (true) {
    if (budget_.is_spent(work_.statistics)) return Outcome::limit;
    if (work_.factor.is_worn()) refresh();
    if (iterate() == Step::finished) return outcome_;
  }
}

/// No row is left to choose, or none of its entries can enter.
DualSimplex::Step DualSimplex::without_entering(int row, double direction) {
  if (!fresh_) {
    refresh();
    return Step::retry;
  }
  if (row < 0) {
    outcome_ = banned_ ? Outcome::trouble : Outcome::done;
    return Step::finished;
  }
  outcome_ = Outcome::ray;
  stuck_variable_ = work_.basic[row];
  ray_.assign(static_cast<std::size_t>(work_.model.rows), 0.0);
  for (const int k : inverse_row_.nonzero) ray_[k] = direction * inverse_row_.value[k];
  return Step::finished;
}

/// The pivot is known from the row and from the column; if they disagree the factors are stale.
bool DualSimplex::is_pivot_sound(int row, int entering) {
  const double by_row = pivot_row_.value[entering];
  const double by_column = column_.value[row];
  return std::fabs(by_column) > kPivotTolerance &&
         std::fabs(by_row - by_column) <= kPivotMismatch * (1 + std::fabs(by_column));
}

DualSimplex::Step DualSimplex::iterate() {
  const int row = pricing_.choose(bland_);
  if (row < 0) return without_entering(row, 0);
  const int leaving = work_.basic[row];
  const double violation = work_.violation(leaving);
  const double direction = violation > 0 ? 1.0 : -1.0;
  work_.inverse_row(row, inverse_row_);
  if (!pricing_.correct(row, inverse_row_) && !bland_) return Step::retry;
  work_.price(inverse_row_, pivot_row_);
  const int entering = ratio_test_.choose(pivot_row_, direction, std::fabs(violation), bland_);
  if (entering < 0) return without_entering(row, direction);
  work_.column(entering, column_);
  if (!is_pivot_sound(row, entering)) {
    if (fresh_) {
      pricing_.ban(row);
      banned_ = true;
    } else {
      refresh();
    }
    return Step::retry;
  }

  apply_flips();
  update_reduced(row, entering);
  const Place rest = violation > 0 ? Place::at_upper : Place::at_lower;
  update_values(row, entering, rest);
  pricing_.update(row, entering, column_, inverse_row_);
  work_.exchange(row, entering, rest, column_);
  ++work_.statistics.dual_iterations;
  if (bland_) ++work_.statistics.bland_iterations;
  fresh_ = false;
  if (banned_) pricing_.lift_bans();
  banned_ = false;
  watch_progress(std::fabs(work_.reduced[leaving]));
  return Step::taken;
}

/// Reduced costs after the step. Who would pass zero has its cost shifted, the entering one
/// included: so no step goes backwards.
void DualSimplex::update_reduced(int row, int entering) {
  const int leaving = work_.basic[row];
  const bool wrong_sign = work_.place[entering] == Place::at_lower   ? work_.reduced[entering] < 0
                          : work_.place[entering] == Place::at_upper ? work_.reduced[entering] > 0
                                                                     : false;
  if (wrong_sign) shift(entering, 0.0);
  const double step = work_.reduced[entering] / column_.value[row];
  if (step != 0) {
    for (const int v : pivot_row_.nonzero) {
      if (work_.place[v] != Place::basic) work_.reduced[v] -= step * pivot_row_.value[v];
    }
  }
  work_.reduced[entering] = 0.0;
  work_.reduced[leaving] = -step;
  for (const int v : ratio_test_.neighbours()) {
    if (work_.dual_violation(v) > 0) shift(v, 0.0);
  }
}

/// Moves the passed variables to their other bounds; basic values follow in one ftran.
void DualSimplex::apply_flips() {
  if (ratio_test_.flips().empty()) return;
  SparseVector change(work_.model.rows);
  for (const int v : ratio_test_.flips()) {
    work_.flip(v);
    const double target = work_.place[v] == Place::at_lower ? work_.lower(v) : work_.upper(v);
    const double by = target - work_.value[v];
    work_.value[v] = target;
    work_.model.for_each_entry(v, [&](int i, double a) { change.value[i] -= a * by; });
  }
  work_.factor.ftran(change);
  for (const int i : change.nonzero) work_.value[work_.basic[i]] += change.value[i];
}

void DualSimplex::update_values(int row, int entering, Place rest) {
  const int leaving = work_.basic[row];
  const double target = rest == Place::at_lower ? work_.lower(leaving) : work_.upper(leaving);
  const double step = (work_.value[leaving] - target) / column_.value[row];
  for (const int i : column_.nonzero) work_.value[work_.basic[i]] -= step * column_.value[i];
  work_.value[entering] += step;
  work_.value[leaving] = target;
}

void DualSimplex::watch_progress(double dual_step) {
  if (dual_step > kIdleStep) {
    idle_steps_ = 0;
    bland_ = options_.bland;
    return;
  }
  ++idle_steps_;
  if (may_perturb_ && idle_steps_ >= options_.patience) {
    may_perturb_ = false;
    idle_steps_ = 0;
    perturb();
  } else if (idle_steps_ >= options_.patience + work_.model.rows) {
    bland_ = true;
  }
}

}  // namespace pimbb::lp
