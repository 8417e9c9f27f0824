// The bounded primal simplex: from a primal feasible basis to an optimal one.
//
// It finishes what the dual simplex leaves when it had to change costs (dual_simplex.hpp), and does
// all the work if the basis of logicals is feasible already. While some non-basic variable has a
// reduced cost of the wrong sign: one of them enters, moves until a basic variable reaches a bound
// (primal_ratio_test.hpp), and that one leaves. If nothing stops it, the direction is a ray of
// ever better points.
//
// Pricing is Devex (Forrest and Goldfarb 1992; Harris 1973): largest d_j^2 / w_j, with w_j growing
// from 1 towards the squared length of the edge as measured in a reference frame. Against cycling
// Bland's rule takes over after a long run of steps of length zero, until one has some.
#pragma once

#include <vector>

#include "lp/budget.hpp"
#include "lp/options.hpp"
#include "lp/primal_ratio_test.hpp"
#include "lp/workspace.hpp"

namespace pimbb::lp {

class PrimalSimplex {
 public:
  PrimalSimplex(Workspace& workspace, const Budget& budget, const Options& options);

  /// Expects a primal feasible basis and the true costs; refreshes the state itself.
  /// Outcome::trouble also means that rounding lost feasibility: the dual simplex can take over
  /// again.
  Outcome run();

  /// After Outcome::ray: a direction (scaled, all variables) in which the objective falls for ever.
  [[nodiscard]] const std::vector<double>& ray() const { return ray_; }
  /// After Outcome::ray: the non-basic variable that moves along it.
  [[nodiscard]] int running_variable() const { return running_variable_; }

 private:
  enum class Step { taken, retry, finished };

  void refresh();
  [[nodiscard]] int choose() const;
  Step iterate();
  Step finish_or_refresh(Outcome outcome);
  void move(int entering, double by);
  void update_reduced_and_weights(int row, int entering);
  void keep_ray(int entering, double direction);

  Workspace& work_;
  const Budget& budget_;
  Options options_;
  std::vector<double> weight_;
  std::vector<bool> banned_;
  bool any_banned_ = false;
  SparseVector inverse_row_;
  SparseVector pivot_row_;
  SparseVector column_;
  std::vector<double> ray_;
  int running_variable_ = -1;
  Outcome outcome_ = Outcome::done;
  int idle_steps_ = 0;
  bool bland_;
  bool fresh_ = false;
};

}  // namespace pimbb::lp
