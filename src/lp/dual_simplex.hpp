// The bounded dual simplex: from a dual feasible basis to a primal feasible one.
//
// While some basic value violates its bound: that variable leaves towards the bound (pricing.hpp),
// a non-basic one enters such that all reduced costs keep their signs (dual_ratio_test.hpp), and
// the dual objective, a lower bound of the optimum, rises. If nothing can enter, the row of the
// inverse is a proof of infeasibility (Farkas). (Koberstein 2005 has all of this in detail.)
//
// *Starting dual infeasible.* Boxed variables are put at the bound that fits their reduced cost.
// For the others the *cost is shifted* until the reduced cost fits. What comes out is then primal
// feasible, but optimal for changed costs only; with the true costs back, the primal simplex
// (primal_simplex.hpp) finishes. Infeasibility does not depend on costs. This makes a first phase
// of its own unnecessary and works from any basis (a composite method; Wunderling 1996).
//
// *Against cycling.* Steps of length zero can repeat for ever. After `patience` of them in a row
// the costs are perturbed, at random but repeatably and such that all reduced costs keep their
// signs, which makes ties unlikely. If steps still stall, Bland's rule (least index leaves, least
// index enters) takes over until the objective rises: it cannot cycle.
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
  DualSimplex(Workspace& workspace, const Budget& budget, const Options& options);

  /// Expects settled places; refreshes the state itself.
  Outcome run();

  /// After Outcome::ray: row multipliers (scaled) that prove infeasibility.
  [[nodiscard]] const std::vector<double>& ray() const { return ray_; }
  /// After Outcome::ray: the basic variable whose row the proof is.
  [[nodiscard]] int stuck_variable() const { return stuck_variable_; }

 private:
  enum class Step { taken, retry, finished };

  void refresh();
  void make_dual_feasible();
  void perturb();
  Step iterate();
  Step without_entering(int row, double direction);
  bool is_pivot_sound(int row, int entering);
  void update_reduced(int row, int entering);
  void apply_flips();
  void update_values(int row, int entering, Place rest);
  void watch_progress(double dual_step);
  void shift(int v, double reduced_cost);

  Workspace& work_;
  const Budget& budget_;
  Options options_;
  DualPricing pricing_;
  DualRatioTest ratio_test_;
  SparseVector inverse_row_;
  SparseVector pivot_row_;
  SparseVector column_;
  std::vector<double> ray_;
  int stuck_variable_ = -1;
  Outcome outcome_ = Outcome::done;
  int idle_steps_ = 0;
  bool may_perturb_;
  bool bland_;
  bool fresh_ = false;  // nothing has changed since the last refresh()
  bool banned_ = false;
};

}  // namespace pimbb::lp
