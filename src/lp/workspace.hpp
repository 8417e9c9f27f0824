// The state of a simplex run, shared by the dual and the primal algorithm.
//
// Variables are 0 .. n+m-1, columns first, then logicals (scaled_program.hpp). Each is basic or at
// one of its bounds (at zero if it has none). Invariants between iterations, up to rounding:
//
//     the basic columns are regular, `factor` represents them, and basic[r] has position r
//     [A | -I] value = 0, non-basic values being exactly their bounds
//     reduced = cost - multipliers * [A | -I], zero for basic variables
//
// `cost` may differ from the program's: the dual algorithm shifts and perturbs costs to stay dual
// feasible (dual_simplex.hpp); restore_costs() undoes that. The bounds differ from the program's
// between box() and unbox(): the first phase of the dual algorithm. Values and reduced costs are
// updated in each iteration and recomputed by refresh(), which removes the accumulated rounding
// errors.
#pragma once

#include <cstdint>
#include <vector>

#include "lp/basis_factor.hpp"
#include "lp/scaled_program.hpp"
#include "lp/statistics.hpp"
#include "run/debug_log.hpp"

namespace pimbb::lp {

inline constexpr double kTolerance = 1e-9;
inline constexpr double kPivotTolerance = 1e-9;  ///< entries below are no pivots

/// `at_zero`: non-basic without any bound (a free variable).
enum class VariableStatus : unsigned char { basic, at_lower, at_upper, at_zero };

class Workspace {
 public:
  explicit Workspace(const ScaledProgram& scaled);

  const ScaledProgram& scaled;
  std::vector<double> cost;
  std::vector<double> value;
  std::vector<double> reduced;
  std::vector<double> edge_weight;  ///< of basic variables: |row of the inverse|^2 (pricing.hpp)
  std::vector<VariableStatus> status;
  std::vector<int> basic;  ///< by row
  /// The largest violation of a bound, or of the sign of a reduced cost, that is accepted (scaled).
  double tolerance = kTolerance;
  BasisFactor factor;
  SimplexStatistics statistics;
  const std::uint64_t log_number = run::log_number("lp");

  [[nodiscard]] double lower(int v) const { return (*lower_)[v]; }
  [[nodiscard]] double upper(int v) const { return (*upper_)[v]; }
  [[nodiscard]] double range(int v) const { return upper(v) - lower(v); }
  /// The value that the status of a non-basic variable implies.
  [[nodiscard]] double nonbasic_value(int v) const {
    return status[v] == VariableStatus::at_lower   ? lower(v)
           : status[v] == VariableStatus::at_upper ? upper(v)
                                                   : 0.0;
  }
  /// Whether `basic` lists exactly the variables of status basic, one for each row.
  [[nodiscard]] bool is_basis_consistent() const;
  /// Whether every non-basic variable is at a bound that it has, or at zero if it has none.
  [[nodiscard]] bool is_nonbasic_at_bounds() const;
  [[nodiscard]] bool are_bounds_ordered() const;
  /// How far the value lies beyond a bound: negative below the lower, positive above the upper.
  [[nodiscard]] double violation(int v) const;
  /// By how much the reduced cost of a non-basic variable has the wrong sign; 0 if it is right.
  [[nodiscard]] double dual_violation(int v) const;
  [[nodiscard]] bool is_primal_feasible() const;
  [[nodiscard]] bool is_dual_feasible() const;

  struct Basis {
    std::vector<VariableStatus> status;
    std::vector<int> basic;
  };
  [[nodiscard]] Basis save_basis() const { return {status, basic}; }
  /// The state has to be refreshed afterwards.
  void load_basis(Basis basis);

  void start_from_logicals();
  /// After the program has grown: new columns become non-basic, the logicals of new rows basic, so
  /// that the basis stays regular. The state has to be refreshed afterwards.
  void add_columns(int count);
  void add_rows(int count);
  /// Moves non-basic variables whose bound no longer exists to another bound.
  void move_nonbasic_to_bounds();
  /// Replaces every missing bound by one near zero and every other one by zero, so that all
  /// variables are boxed; unbox() undoes that. The state has to be refreshed after either.
  void box();
  void unbox();
  /// Moves a non-basic variable to its other bound. Changes `status` only, not `value`.
  void flip(int v);
  void restore_costs() { cost = scaled.cost; }

  void refactorize();
  void compute_values();
  void compute_reduced();
  void refresh();

  /// out = B^-1 times the column of a variable, which exchange() may then make basic.
  void column(int v, SparseVector& out);
  /// out = row `r` of B^-1.
  void inverse_row(int r, SparseVector& out);
  /// out = row * [A | -I], for all variables (the entries of basic ones mean nothing).
  void price(const SparseVector& row, SparseVector& out) const;

  /// `entering` becomes basic in `row`; what was basic there gets `leaving_status`. Its column must
  /// be what column() computed last.
  void exchange(int row, int entering, VariableStatus leaving_status,
                const SparseVector& entering_column);

 private:
  void set_default_status(int v);

  std::vector<double> box_lower_;
  std::vector<double> box_upper_;
  const std::vector<double>* lower_ = &scaled.lower;
  const std::vector<double>* upper_ = &scaled.upper;
};

}  // namespace pimbb::lp
