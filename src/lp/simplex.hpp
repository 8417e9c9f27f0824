// Solving a linear program, and solving it again after its ranges have changed.
//
//     lp::Simplex simplex(program);
//     simplex.solve();                                   // from the basis of logicals
//     simplex.set_range(column, {Rational(1), {}});      // branch
//     simplex.solve();                                   // from the basis where the last one ended
//
// Order of work: the dual simplex makes the basis primal feasible (changing costs if it must), the
// primal simplex makes it optimal for the true costs. After a change of ranges the old basis is
// still dual feasible, so the second part has nothing to do. If rounding loses feasibility, the two
// take turns a few more times; what then is unsettled ends as Status::trouble.
//
// Everything here is floating point, within 1e-9 of the scaled bounds and costs. If an optimum
// uses that slack, a few more iterations try for a basis that is optimal within 1e-12, which then
// is more often exactly so. Branching at random on the small Netlib instances met 743 optima: 14
// had no exact proof without this, 12 with it. Proofs are made in safe_bound.hpp (from any
// multipliers) and certificate.hpp (from the basis).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lp/budget.hpp"
#include "lp/linear_program.hpp"
#include "lp/model.hpp"
#include "lp/options.hpp"
#include "lp/workspace.hpp"

namespace pimbb::lp {

enum class Status {
  optimal,
  infeasible,
  unbounded,
  limit,    ///< the limits of solve() were reached
  trouble,  ///< given up because of rounding errors
};

class Simplex {
 public:
  /// Throws std::invalid_argument if a number other than 0 is below 1e-100 or beyond 1e100 in size;
  /// so does set_range().
  explicit Simplex(LinearProgram program, const Options& options = {});
  Simplex(const Simplex&) = delete;
  Simplex& operator=(const Simplex&) = delete;

  [[nodiscard]] const LinearProgram& program() const { return program_; }
  void set_range(ColIndex column, Range values);
  void set_range(RowIndex row, Range activity);

  Status solve(const Limits& limits = {});

  // What the last solve() found, in the units of the program.
  [[nodiscard]] double objective() const;
  [[nodiscard]] double value(ColIndex column) const;
  [[nodiscard]] double activity(RowIndex row) const;
  /// Row multipliers of the last basis, for any status: optimal duals if optimal.
  [[nodiscard]] std::vector<double> multipliers() const;
  /// If infeasible: row multipliers that prove it (all zero if a range is empty).
  [[nodiscard]] std::vector<double> infeasibility_ray() const;
  /// If unbounded: a direction of columns in which the objective falls for ever.
  [[nodiscard]] std::vector<double> unbounded_ray() const;

  /// Where each column and each row's logical stands: the warm start of another solve.
  [[nodiscard]] const std::vector<Place>& basis() const { return work_.place; }
  /// Throws std::invalid_argument if the size is wrong or the number of basic ones is not rows().
  void set_basis(std::span<const Place> places);
  /// If infeasible: the basic variable that no other can bring to its bound, -1 if a range is
  /// empty.
  [[nodiscard]] int stuck_variable() const { return stuck_variable_; }
  /// If unbounded: the non-basic variable that moves along the ray.
  [[nodiscard]] int running_variable() const { return running_variable_; }

  [[nodiscard]] const Statistics& statistics() const { return work_.statistics; }

 private:
  void set_range(int variable, const Range& range);
  Status run(const Budget& budget);
  Status alternate(const Budget& budget);
  void sharpen(const Budget& budget);
  std::optional<Status> make_feasible(const Budget& budget, const Options& options);
  std::optional<Status> make_optimal(const Budget& budget, const Options& options);

  LinearProgram program_;
  Options options_;
  Model model_;
  Workspace work_;
  std::vector<bool> is_empty_;  // by variable: an empty range
  int empty_ranges_ = 0;
  int stuck_variable_ = -1;
  int running_variable_ = -1;
  std::vector<double> ray_;
};

}  // namespace pimbb::lp
