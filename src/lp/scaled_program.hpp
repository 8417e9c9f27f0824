// The working copy of a linear program for the simplex: scaled doubles, with a variable for each
// row.
//
// Row i gets a *logical variable* n + i that equals its activity, so that the constraints become
// equations and every range a pair of bounds on a variable:
//
//     minimise c x   subject to   A x_0..n-1  -  x_n..n+m-1  =  0,   lower <= x <= upper
//
// i.e. the matrix is [A | -I] and the right hand side zero. With row multipliers y the reduced cost
// of a column is c_j - a_j y, and that of the logical of row i is just y_i.
//
// Scaling: A' = R A S, where R and S are diagonal matrices of powers of two, so that scaling and
// unscaling are exact. A few geometric passes bring the entries near 1, a last one brings the
// largest of each column into (1/2, 1]. Costs are scaled by one common power of two. Nothing is
// scaled if all entries are within a factor of 8 of 1. On the 24 small Netlib instances scaling
// saves only 2 % of the iterations (share1b: 199 instead of 261); its purpose is that tolerances
// are absolute. Columns and rows that are added later are scaled alone, the old ones stay as they
// are.
#pragma once

#include <vector>

#include "lp/linear_program.hpp"
#include "lp/sparse.hpp"

namespace pimbb::lp {

/// The nearest double. Throws std::invalid_argument if scaling could exceed the range of doubles.
double nearest_double(const Rational& value);

struct ScaledProgram {
  explicit ScaledProgram(const LinearProgram& program);

  int rows = 0;
  int columns = 0;
  CompressedMatrix<double> by_column;  ///< scaled A, without the logicals
  CompressedMatrix<double> by_row;
  std::vector<double> cost;   ///< of all variables, scaled
  std::vector<double> lower;  ///< of all variables, scaled; -infinity for none
  std::vector<double> upper;
  std::vector<double> scale;  ///< of all variables: true value = scale * scaled value
  double cost_scale = 1;      ///< true cost = scaled cost / (cost_scale * scale)

  [[nodiscard]] int variables() const { return rows + columns; }
  [[nodiscard]] int logical(int row) const { return columns + row; }
  [[nodiscard]] bool is_logical(int variable) const { return variable >= columns; }

  /// Appends the columns that `program` has and this copy has not; logicals move up.
  void add_columns(const LinearProgram& program);
  /// Appends the rows that `program` has and this copy has not.
  void add_rows(const LinearProgram& program);

  /// Stores the changed range of a variable.
  void set_range(int variable, const Range& range);

  /// Calls visit(row, value) for each entry of a variable's column in [A | -I].
  template <class Visit>
  void for_each_entry(int variable, Visit visit) const {
    if (is_logical(variable)) {
      visit(variable - columns, -1.0);
      return;
    }
    for (int k = by_column.start[variable]; k < by_column.start[variable + 1]; ++k) {
      visit(by_column.index[k], by_column.value[k]);
    }
  }

 private:
  [[nodiscard]] double row_scale(int row) const { return 1 / scale[logical(row)]; }
  [[nodiscard]] double scale_of_new_column(const std::vector<Entry>& entries) const;
};

}  // namespace pimbb::lp
