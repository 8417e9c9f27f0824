// Dual steepest edge pricing: which basic variable leaves the basis.
//
// Among the rows r with a value beyond its bound by v_r, take the one of largest
//
//        v_r^2 / w_r,      w_r = | row r of B^-1 |^2,
//
// the steepest ascent of the dual objective measured along the edge, which does not depend on how
// the rows are scaled (Forrest and Goldfarb 1992). From the basis of logicals all w_r are 1; when
// `entering` replaces row r, with column a = B^-1 a_q and t = B^-1 (row r of B^-1),
//
//        w_i  <-  w_i - 2 (a_i / a_r) t_i + (a_i / a_r)^2 w_r,       w_r  <-  w_r / a_r^2.
//
// That costs one more ftran an iteration; with the largest violation instead (all w_r = 1) the
// small Netlib instances take twice the dual iterations in total, degen2 almost four times as many.
// Weights are kept by variable, not by row, so that they survive a refactorization and a warm
// start.
#pragma once

#include <vector>

#include "lp/workspace.hpp"

namespace pimbb::lp {

class DualPricing {
 public:
  explicit DualPricing(Workspace& workspace)
      : work_(workspace),
        banned_(static_cast<std::size_t>(workspace.scaled.rows), false),
        tau_(workspace.scaled.rows) {}

  /// The row whose variable should leave, -1 if no value violates its bound. Under Bland's rule it
  /// is the one whose variable has the least index.
  [[nodiscard]] int choose(bool bland) const;

  /// Stores the true weight of a row, computed from its row of the inverse. False if the weight by
  /// which the row was chosen was far too small: another row may be better.
  bool correct(int row, const SparseVector& inverse_row);

  /// Weights after `entering` has been chosen for `row`; before the exchange.
  void update(int row, int entering, const SparseVector& column, const SparseVector& inverse_row);

  /// Leaves a row out, until lift_bans(), because no usable pivot was found in it.
  void ban(int row) { banned_[row] = true; }
  void lift_bans() { banned_.assign(banned_.size(), false); }

 private:
  Workspace& work_;
  std::vector<bool> banned_;
  SparseVector tau_;
};

}  // namespace pimbb::lp
