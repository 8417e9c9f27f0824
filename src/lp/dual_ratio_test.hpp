// The ratio test of the dual simplex: which non-basic variable enters, and the length of the step.
//
// Variable p leaves, violating a bound; with `direction` +1 above its upper, -1 below its lower,
// and the pivot row a, a step t >= 0 changes reduced costs to d_j - t * direction * a_j. Each j
// whose reduced cost moves towards zero is a candidate and reaches it at its break point d_j / a_j.
//
// *Bound flipping* (long step; Fourer 1994, Maros 2003): the dual objective is concave and
// piecewise linear in t, its slope begins at the violation of p and falls at each break point by
// |a_j| (upper_j - lower_j). While it stays positive, a boxed variable need not enter: it is
// flipped to its other bound and the step is lengthened. If the slope stays positive beyond all
// break points the program is infeasible.
//
// *Harris with tolerance*: break points are taken in groups. A group has all break points up to the
// least value of (|d_j| + tolerance) / |a_j| among those left, and the variable to enter is the one
// of largest |a_j| in its group, a stable pivot. The reduced costs of the others change sign by
// less than the tolerance; the caller shifts their costs, so that the objective never decreases.
//
// A pass over the candidates that are left finds the next group. Mostly the first few groups end
// the step; if not, the rest is sorted, and with the suffix minima of the relaxed break points the
// groups are contiguous.
#pragma once

#include <optional>
#include <vector>

#include "lp/workspace.hpp"

namespace pimbb::lp {

class DualRatioTest {
 public:
  explicit DualRatioTest(const Workspace& workspace) : work_(workspace) {}

  /// The variable to enter, -1 if there is none. `slope` is the size of the violation. Under
  /// Bland's rule: the least index among those with the very first break point, and no flips.
  int choose(const SparseVector& pivot_row, double direction, double slope, bool bland);

  /// Boxed variables whose break points the step passes: to be moved to their other bounds.
  [[nodiscard]] const std::vector<int>& flips() const { return flips_; }
  /// Variables whose reduced cost may change sign by rounding: candidates for a cost shift.
  [[nodiscard]] const std::vector<int>& shift_candidates() const { return shift_candidates_; }

 private:
  struct Candidate {
    int variable;
    double size;     // |a_j|
    double ratio;    // break point
    double relaxed;  // break point with tolerance
  };
  struct Group {
    std::size_t begin;
    std::size_t end;
    std::size_t largest;
  };

  void collect(const SparseVector& pivot_row, double direction);
  [[nodiscard]] int first_by_index() const;
  bool form_groups(double slope);
  std::optional<bool> form_first_groups(double& slope, std::size_t& begin);
  bool add_group(std::size_t begin, std::size_t end, double& slope);

  const Workspace& work_;
  std::vector<Candidate> candidates_;
  std::vector<Group> groups_;
  std::vector<int> flips_;
  std::vector<int> shift_candidates_;
};

}  // namespace pimbb::lp
