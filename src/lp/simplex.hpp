// Solving a linear program, and solving it again after its ranges have changed or it has grown.
//
//     lp::Simplex simplex(program);
//     simplex.solve();                                   // from the basis of logicals
//     simplex.set_range(column, {Rational(1), {}});      // branch
//     simplex.solve();                                   // from the basis where the last one ended
//     simplex.add_columns(columns_of_negative_reduced_cost);   // column generation
//     simplex.solve();                                         // from that basis, too
//
// Order of work: the dual simplex makes the basis primal feasible (after a first phase, and
// changing costs, if it must), the primal simplex makes it optimal for the true costs. After a
// change of ranges, or with more rows, the old basis is still dual feasible, so the second part has
// nothing to do; with more columns it is still primal feasible, and the first part has nothing to
// do. If rounding loses feasibility, the two algorithms alternate a few more times; if that does
// not help, the status is numerical_failure.
//
// Everything here is floating point, with a tolerance of 1e-9 on the scaled bounds and costs. If an
// optimum uses that tolerance, a few more iterations (polish()) look for a basis that is optimal
// within 1e-12, which is more often optimal in exact arithmetic too. Random branching on the small
// Netlib instances found 743 optima: 14 had no exact proof without polishing, 12 with it. Proofs
// are made in safe_bound.hpp (from any multipliers) and certificate.hpp (from the basis).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lp/budget.hpp"
#include "lp/linear_program.hpp"
#include "lp/options.hpp"
#include "lp/scaled_program.hpp"
#include "lp/workspace.hpp"

namespace pimbb::lp {

enum class SimplexStatus {
  optimal,
  infeasible,
  unbounded,
  limit,              ///< the limits of solve() were reached
  numerical_failure,  ///< given up because of rounding errors
};

/// What add_columns() and add_rows() append. At most one entry for each position.
struct NewColumn {
  Rational cost;
  Range values;
  std::vector<Entry> entries;
  std::string name = {};
};
struct RowEntry {
  ColIndex column;
  Rational value;
};
struct NewRow {
  Range activity;
  std::vector<RowEntry> entries;
  std::string name = {};
};

class Simplex {
 public:
  /// Throws std::invalid_argument if a number other than 0 is below 1e-100 or beyond 1e100 in size;
  /// so do set_range(), add_columns() and add_rows().
  explicit Simplex(LinearProgram program, const SimplexOptions& options = {});
  Simplex(const Simplex&) = delete;
  Simplex& operator=(const Simplex&) = delete;

  [[nodiscard]] const LinearProgram& program() const { return program_; }
  void set_range(ColIndex column, Range values);
  void set_range(RowIndex row, Range activity);

  /// Appends; the basis grows by the logicals of new rows. Results of the last solve() are void,
  /// except multipliers() (0 for new rows). Takes time linear in the program, so add in batches.
  /// Throws std::out_of_range for an entry outside of the program. Nothing changes if it throws.
  void add_columns(std::span<const NewColumn> columns);
  void add_rows(std::span<const NewRow> rows);

  SimplexStatus solve(const SimplexLimits& limits = {});

  // What the last solve() found, in the units of the program.
  [[nodiscard]] double objective() const;
  [[nodiscard]] double value(ColIndex column) const;
  [[nodiscard]] double activity(RowIndex row) const;
  /// Row multipliers of the last basis, for any status: optimal duals if optimal.
  [[nodiscard]] std::vector<double> multipliers() const;
  /// If infeasible: row multipliers that prove it (all zero if a range is empty).
  [[nodiscard]] std::vector<double> infeasibility_ray() const;
  /// If unbounded: a direction of the columns along which the objective decreases without limit.
  [[nodiscard]] std::vector<double> unbounded_ray() const;

  /// The status of each column and each row's logical: the warm start of another solve.
  [[nodiscard]] const std::vector<VariableStatus>& basis() const { return work_.status; }
  /// Throws std::invalid_argument if the size is wrong or the number of basic ones is not rows().
  void set_basis(std::span<const VariableStatus> statuses);
  /// If infeasible: the basic variable of the row that proves it, -1 if a range is empty.
  [[nodiscard]] int infeasible_row_variable() const { return infeasible_row_variable_; }
  /// If unbounded: the entering variable, which moves along the ray.
  [[nodiscard]] int unbounded_entering() const { return unbounded_entering_; }

  [[nodiscard]] const SimplexStatistics& statistics() const { return work_.statistics; }

 private:
  void set_range(int variable, const Range& range);
  void forget_result();
  SimplexStatus run(const IterationBudget& budget);
  bool seek_dual_feasibility(const IterationBudget& budget);
  SimplexStatus alternate(const IterationBudget& budget, bool first_phase);
  void polish(const IterationBudget& budget);
  std::optional<SimplexStatus> make_feasible(const IterationBudget& budget,
                                             const SimplexOptions& options);
  std::optional<SimplexStatus> make_optimal(const IterationBudget& budget,
                                            const SimplexOptions& options);

  LinearProgram program_;
  SimplexOptions options_;
  ScaledProgram scaled_;
  Workspace work_;
  std::vector<bool> is_empty_;  // by variable: an empty range
  int empty_ranges_ = 0;
  int infeasible_row_variable_ = -1;
  int unbounded_entering_ = -1;
  std::vector<double> ray_;
};

}  // namespace pimbb::lp
