// The bounded dual simplex: from a dual feasible basis to a primal feasible one.
//
// While some basic value violates its bound: that variable leaves towards the bound (pricing.hpp),
// a non-basic one enters such that all reduced costs keep their signs (dual_ratio_test.hpp), and
// the dual objective, a lower bound of the optimum, rises. If nothing can enter, the row of the
// inverse is a proof of infeasibility (Farkas). Koberstein (2005) describes all of this in detail.
//
// *Starting dual infeasible.* Boxed variables are moved to the bound that fits the sign of their
// reduced cost. If that is not enough, and the basis is not primal feasible either, a *first phase*
// replaces the bounds (Workspace::box()): existing ones become 0, missing ones -1 or 1, or -1000
// and 1000 for free variables. In that program every basis is dual feasible; its objective is minus
// the sum of dual infeasibilities, weighted; and a basis of objective 0 is dual feasible for the
// true bounds (Koberstein 2005, section 4.4). What remains infeasible has its *cost shifted* until
// the sign is right. The final basis is primal feasible, but optimal for the changed costs only;
// with the true costs restored, the primal simplex (primal_simplex.hpp) finishes. Infeasibility
// does not depend on costs. So any basis can be the first, and the first phase may fail (composite
// method; Wunderling 1996).
//
// *Against cycling.* Degenerate steps (of length zero) can repeat for ever. After `patience` of
// them in a row the costs are perturbed, pseudo-randomly and such that all reduced costs keep their
// signs, which makes ties unlikely. If the steps are still degenerate, Bland's rule (least index
// leaves, least index enters) applies until the objective rises: it cannot cycle.
#pragma once

#include <vector>

#include "lp/budget.hpp"
#include "lp/dual_ratio_test.hpp"
#include "lp/options.hpp"
#include "lp/pricing.hpp"
#include "lp/workspace.hpp"

namespace pimbb::lp {

class DualSimplex {
 public:
  DualSimplex(Workspace& workspace, const IterationBudget& budget, const SimplexOptions& options);

  /// Requires non-basic variables at bounds that exist; refreshes the state itself. If the options
  /// ask for a first phase and it is needed, the outcome is infeasible_both_ways, at once.
  PhaseOutcome run();

  /// After PhaseOutcome::ray: row multipliers (scaled) that prove infeasibility.
  [[nodiscard]] const std::vector<double>& ray() const { return ray_; }
  /// After PhaseOutcome::ray: the basic variable of the row that is the proof.
  [[nodiscard]] int infeasible_row_variable() const { return infeasible_row_variable_; }

 private:
  enum class Step { taken, retry, finished };

  void refresh();
  void finish_refresh();
  [[nodiscard]] bool needs_first_phase();
  void make_dual_feasible();
  void perturb();
  Step iterate();
  Step end_without_entering(int row, double direction);
  bool is_pivot_accurate(int row, int entering);
  void update_reduced(int row, int entering);
  void apply_flips();
  void update_values(int row, int entering, VariableStatus leaving_status);
  void count_degenerate_step(double dual_step);
  void shift(int v, double reduced_cost);

  Workspace& work_;
  const IterationBudget& budget_;
  SimplexOptions options_;
  DualPricing pricing_;
  DualRatioTest ratio_test_;
  SparseVector inverse_row_;
  SparseVector pivot_row_;
  SparseVector column_;
  std::vector<double> ray_;
  int infeasible_row_variable_ = -1;
  PhaseOutcome outcome_ = PhaseOutcome::done;
  int degenerate_steps_ = 0;
  bool may_perturb_;
  bool bland_;
  bool fresh_ = false;  // nothing has changed since the last refresh()
  bool banned_ = false;
};

}  // namespace pimbb::lp
