// The state of a simplex run, shared by the dual and the primal algorithm.
//
// Variables are 0 .. n+m-1, columns first, then logicals (model.hpp). Each is basic or rests at a
// bound (at zero if it has none). Invariants between iterations, up to rounding:
//
//     the basic columns are regular, `factor` represents them, and basic[r] has position r
//     [A | -I] value = 0, non-basic values being exactly their bounds
//     reduced = cost - multipliers * [A | -I], zero for basic variables
//
// `cost` may differ from the model's: the dual algorithm shifts and perturbs costs to stay dual
// feasible (dual_simplex.hpp), and restore_costs() ends that. Values and reduced costs are updated
// from iteration to iteration and recomputed by refresh(), which wipes out the accumulated error.
#pragma once

#include <cstdint>
#include <vector>

#include "lp/basis_factor.hpp"
#include "lp/model.hpp"
#include "lp/statistics.hpp"

namespace pimbb::lp {

inline constexpr double kTolerance = 1e-9;
inline constexpr double kPivotTolerance = 1e-9;  ///< entries below are no pivots

enum class Place : unsigned char { basic, at_lower, at_upper, at_zero };

class Workspace {
 public:
  explicit Workspace(const Model& model);

  const Model& model;
  std::vector<double> cost;
  std::vector<double> value;
  std::vector<double> reduced;
  std::vector<double> edge_weight;  ///< of basic variables: |row of the inverse|^2 (pricing.hpp)
  std::vector<Place> place;
  std::vector<int> basic;  ///< by row
  /// How far a value may be beyond its bound and a reduced cost of the wrong sign, scaled.
  double tolerance = kTolerance;
  BasisFactor factor;
  Statistics statistics;

  [[nodiscard]] double lower(int v) const { return model.lower[v]; }
  [[nodiscard]] double upper(int v) const { return model.upper[v]; }
  [[nodiscard]] double range(int v) const { return upper(v) - lower(v); }
  /// How far the value lies beyond a bound: negative below the lower, positive above the upper.
  [[nodiscard]] double violation(int v) const;
  /// By how much the reduced cost of a non-basic variable has the wrong sign; 0 if right.
  [[nodiscard]] double dual_violation(int v) const;
  [[nodiscard]] bool is_primal_feasible() const;
  [[nodiscard]] bool is_dual_feasible() const;

  struct Basis {
    std::vector<Place> place;
    std::vector<int> basic;
  };
  [[nodiscard]] Basis save_basis() const { return {place, basic}; }
  /// The state has to be refreshed then.
  void load_basis(Basis basis);

  void start_from_logicals();
  /// Puts non-basic variables at bounds that they still have.
  void settle();
  /// Moves a non-basic variable to the other bound, in `place` only: values are recomputed later.
  void flip(int v);
  void restore_costs() { cost = model.cost; }

  void refactorize();
  void compute_values();
  void compute_reduced();
  void refresh();

  /// out = B^-1 times the column of a variable.
  void column(int v, SparseVector& out) const;
  /// out = row `r` of B^-1.
  void inverse_row(int r, SparseVector& out) const;
  /// out = row * [A | -I], over all variables (the entries of basic ones are meaningless).
  void price(const SparseVector& row, SparseVector& out) const;

  /// `entering` becomes basic in `row`; what was basic there rests at `rest`.
  void exchange(int row, int entering, Place rest, const SparseVector& entering_column);

 private:
  void rest(int v);
};

}  // namespace pimbb::lp
