// The iterations of the primal simplex.
#include "lp/primal_simplex.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "lp/tolerances.hpp"
#include "run/debug_log.hpp"

namespace pimbb::lp {
namespace {

constexpr double kDegenerateGain = 1e-13;  // a step that improves less is degenerate
constexpr double kLargestWeight = 1e7;     // of a Devex weight; beyond it a new reference framework
constexpr double kLostFeasibility = 1e-7;  // a violation too large for a rounding error

}  // namespace

PrimalSimplex::PrimalSimplex(Workspace& workspace, const IterationBudget& budget,
                             const SimplexOptions& options)
    : work_(workspace),
      budget_(budget),
      options_(options),
      weight_(static_cast<std::size_t>(workspace.scaled.variables()), 1.0),
      banned_(static_cast<std::size_t>(workspace.scaled.variables()), false),
      inverse_row_(workspace.scaled.rows),
      pivot_row_(workspace.scaled.variables()),
      column_(workspace.scaled.rows),
      bland_(options.bland) {}

void PrimalSimplex::refresh() {
  work_.refresh();
  fresh_ = true;
}

int PrimalSimplex::choose() const {
  int best = -1;
  double best_merit = 0;
  for (int v = 0; v < work_.scaled.variables(); ++v) {
    const double violation = work_.dual_violation(v);
    if (violation <= work_.tolerance || banned_[v]) continue;
    if (bland_) return v;
    const double merit = violation * violation / weight_[v];
    if (merit <= best_merit) continue;
    best = v;
    best_merit = merit;
  }
  return best;
}

PhaseOutcome PrimalSimplex::run() {
  assert(work_.is_basis_consistent() && work_.is_nonbasic_at_bounds());
  assert(work_.cost == work_.scaled.cost);
  refresh();
  while (true) {
    if (budget_.is_exhausted(work_.statistics)) return PhaseOutcome::limit;
    if (work_.factor.needs_refactorization()) refresh();
    if (fresh_ && std::ranges::any_of(work_.basic, [&](int v) {
          return std::fabs(work_.violation(v)) > kLostFeasibility;
        })) {
      return PhaseOutcome::numerical_failure;
    }
    if (iterate() == Step::finished) return outcome_;
  }
}

/// An outcome is believed only right after a refactorization.
PrimalSimplex::Step PrimalSimplex::finish_or_refresh(PhaseOutcome outcome) {
  if (!fresh_) {
    refresh();
    return Step::retry;
  }
  outcome_ = outcome;
  assert(outcome != PhaseOutcome::done || work_.is_dual_feasible());
  return Step::finished;
}

PrimalSimplex::Step PrimalSimplex::iterate() {
  const int entering = choose();
  if (entering < 0)
    return finish_or_refresh(any_banned_ ? PhaseOutcome::numerical_failure : PhaseOutcome::done);
  const double direction = work_.reduced[entering] < 0 ? 1.0 : -1.0;
  work_.column(entering, column_);
  const PrimalStep step = primal_ratio_test(work_, entering, column_, direction, bland_);
  if (step.kind == PrimalStep::Kind::unbounded) {
    PIMBB_LOG("lp", work_.log_number, ": variable ", entering, " enters without a blocking row");
    keep_ray(entering, direction);
    return finish_or_refresh(PhaseOutcome::ray);
  }
  PIMBB_LOG("lp", work_.log_number, ": primal iteration ", work_.statistics.primal_iterations + 1,
            bland_ ? " (Bland)" : "", ": variable ", entering, " enters, reduced cost ",
            work_.reduced[entering], ", step ", step.length, step.row < 0 ? ", no row" : ", row ",
            step.row);
  const double gain = step.length * std::fabs(work_.reduced[entering]);
  if (step.kind == PrimalStep::Kind::flip) {
    flip(entering, direction * step.length);
  } else if (!exchange(step, entering, direction)) {
    return Step::retry;
  }
  ++work_.statistics.primal_iterations;
  if (bland_) ++work_.statistics.bland_iterations;
  fresh_ = false;
  if (any_banned_) banned_.assign(banned_.size(), false);
  any_banned_ = false;
  degenerate_steps_ = gain > kDegenerateGain ? 0 : degenerate_steps_ + 1;
  bland_ = options_.bland || degenerate_steps_ >= options_.patience + work_.scaled.rows;
  return Step::taken;
}

/// The entering variable moves to its other bound; the basis stays as it is.
void PrimalSimplex::flip(int entering, double by) {
  move(entering, by);
  work_.flip(entering);
  work_.value[entering] = work_.nonbasic_value(entering);
}

/// A change of basis. False if the pivot was inaccurate: then there was only a refresh.
bool PrimalSimplex::exchange(const PrimalStep& step, int entering, double direction) {
  work_.inverse_row(step.row, inverse_row_);
  work_.price(inverse_row_, pivot_row_);
  const double pivot = column_.value[step.row];
  if (std::fabs(pivot_row_.value[entering] - pivot) > kPivotMismatch * (1 + std::fabs(pivot))) {
    banned_[entering] = fresh_;
    any_banned_ = any_banned_ || fresh_;
    refresh();
    return false;
  }
  update_reduced_and_weights(step.row, entering);
  const int leaving = work_.basic[step.row];
  move(entering, direction * step.length);
  work_.exchange(step.row, entering, step.leaving_status, column_);
  work_.value[leaving] = work_.nonbasic_value(leaving);
  work_.edge_weight[entering] = 1.0;
  return true;
}

/// Moves the entering variable and updates the basic ones.
void PrimalSimplex::move(int entering, double by) {
  if (by == 0) return;
  for (const int i : column_.nonzero) work_.value[work_.basic[i]] -= by * column_.value[i];
  work_.value[entering] += by;
}

void PrimalSimplex::update_reduced_and_weights(int row, int entering) {
  const int leaving = work_.basic[row];
  const double pivot = column_.value[row];
  const double step = work_.reduced[entering] / pivot;
  const double entering_weight = weight_[entering];
  double largest = 0;
  for (const int v : pivot_row_.nonzero) {
    if (work_.status[v] == VariableStatus::basic) continue;
    work_.reduced[v] -= step * pivot_row_.value[v];
    const double ratio = pivot_row_.value[v] / pivot;
    weight_[v] = std::max(weight_[v], ratio * ratio * entering_weight);
    largest = std::max(largest, weight_[v]);
  }
  work_.reduced[leaving] = -step;
  weight_[leaving] = std::max(entering_weight / (pivot * pivot), 1.0);
  if (largest > kLargestWeight) weight_.assign(weight_.size(), 1.0);
}

void PrimalSimplex::keep_ray(int entering, double direction) {
  ray_.assign(static_cast<std::size_t>(work_.scaled.variables()), 0.0);
  unbounded_entering_ = entering;
  ray_[entering] = direction;
  for (const int i : column_.nonzero) ray_[work_.basic[i]] = -direction * column_.value[i];
}

}  // namespace pimbb::lp
