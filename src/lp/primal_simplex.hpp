// The bounded primal simplex: from a primal feasible basis to an optimal one.
//
// It restores optimality after the dual simplex had to change costs (dual_simplex.hpp), and does
// all the work if the basis of logicals is already feasible. While some non-basic variable has a
// reduced cost of the wrong sign: one of them enters and moves until a basic variable reaches a
// bound (primal_ratio_test.hpp), and that one leaves. If no bound is reached, the direction is a
// ray along which the objective decreases without limit.
//
// Pricing is Devex (Forrest and Goldfarb 1992; Harris 1973): largest d_j^2 / w_j, with w_j growing
// from 1 towards the squared length of the edge in a reference framework. Against cycling, Bland's
// rule applies after many degenerate steps in a row, until one is not degenerate.
#pragma once

#include <vector>

#include "lp/budget.hpp"
#include "lp/options.hpp"
#include "lp/primal_ratio_test.hpp"
#include "lp/workspace.hpp"

namespace pimbb::lp {

class PrimalSimplex {
 public:
  PrimalSimplex(Workspace& workspace, const IterationBudget& budget, const SimplexOptions& options);

  /// Requires a primal feasible basis and the true costs; refreshes the state itself.
  /// PhaseOutcome::numerical_failure also means that rounding lost feasibility: the dual simplex
  /// can be run again.
  PhaseOutcome run();

  /// After PhaseOutcome::ray: a direction (scaled, all variables) along which the objective
  /// decreases without limit.
  [[nodiscard]] const std::vector<double>& ray() const { return ray_; }
  /// After PhaseOutcome::ray: the entering variable, which moves along it.
  [[nodiscard]] int unbounded_entering() const { return unbounded_entering_; }

 private:
  enum class Step { taken, retry, finished };

  void refresh();
  [[nodiscard]] int choose() const;
  Step iterate();
  Step finish_or_refresh(PhaseOutcome outcome);
  void flip(int entering, double by);
  bool exchange(const PrimalStep& step, int entering, double direction);
  void move(int entering, double by);
  void update_reduced_and_weights(int row, int entering);
  void keep_ray(int entering, double direction);

  Workspace& work_;
  const IterationBudget& budget_;
  SimplexOptions options_;
  std::vector<double> weight_;
  std::vector<bool> banned_;
  bool any_banned_ = false;
  SparseVector inverse_row_;
  SparseVector pivot_row_;
  SparseVector column_;
  std::vector<double> ray_;
  int unbounded_entering_ = -1;
  PhaseOutcome outcome_ = PhaseOutcome::done;
  int degenerate_steps_ = 0;
  bool bland_;
  bool fresh_ = false;
};

}  // namespace pimbb::lp
