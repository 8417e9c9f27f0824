// LU factorization of a sparse square matrix B by Markowitz elimination.
//
// Each step picks a pivot in the active submatrix, divides and eliminates below it:
//
//        * * . *          A pivot in row i, column j causes at most (r_i - 1)(c_j - 1) new entries,
//        . P x .          r and c being the counts of row and column: take one of least product
//        * y # *    (#: fill-in = # - x y / P)      (Markowitz 1957).
//        . . . *
//
// Pivots in lines of count one cause no fill-in: they come first (singleton_pivots.hpp). In the
// kernel that is left, lines are kept in lists by count, and a few of the shortest are searched
// (Zlatev 1980). Over the doubles a pivot must be at least a tenth of the largest entry of its row,
// which bounds growth (threshold pivoting); modulo a prime any non-zero will do. (magnitude(), in
// modular.hpp, makes the difference between the number types.)
//
// Columns of B are at *positions* 0 .. m-1. Position c gets the row in which it was pivoted, and
// ftran/btran work in place on vectors over rows: ftran solves B x = b, with x of position c found
// at index row_of(c); btran solves B^T y = d likewise. Both skip zeros; a solve costs O(m) plus the
// entries it touches. On bases of the small Netlib instances L and U have at most 1.4 times the
// entries of B.
//
// If B is singular, dependent columns are replaced by logical columns (-1 in one row): replaced()
// lists the positions and the rows of their replacements.
#pragma once

#include <utility>
#include <vector>

#include "lp/modular.hpp"
#include "lp/sparse.hpp"

namespace pimbb::lp {

template <class Number>
class SparseLu {
 public:
  /// Factorizes the columns (each line of `matrix` is one).
  void factorize(const CompressedMatrix<Number>& matrix);

  /// The row that a position was pivoted in: a permutation.
  [[nodiscard]] int row_of(int position) const { return row_of_position_[position]; }
  /// (position, row) pairs of a singular matrix's repair; empty if B was regular.
  [[nodiscard]] const std::vector<std::pair<int, int>>& replaced() const { return replaced_; }

  /// Rows in pivot order, and by row the pivot as a divisor (modular.hpp).
  [[nodiscard]] const std::vector<int>& order() const { return order_; }
  [[nodiscard]] const std::vector<Number>& divisors() const { return divisor_; }
  /// L and U, as described at the members.
  [[nodiscard]] const CompressedMatrix<Number>& lower() const { return lower_; }
  [[nodiscard]] const CompressedMatrix<Number>& lower_rows() const { return lower_rows_; }
  [[nodiscard]] const CompressedMatrix<Number>& upper() const { return upper_; }
  [[nodiscard]] const CompressedMatrix<Number>& upper_columns() const { return upper_columns_; }

  void ftran(std::vector<Number>& x) const;
  void btran(std::vector<Number>& y) const;

 private:
  std::vector<int> order_;            // rows in pivot order
  std::vector<int> row_of_position_;  // -1 while not pivoted
  std::vector<Number> divisor_;       // by row: the pivot as a divisor (modular.hpp)
  std::vector<std::pair<int, int>> replaced_;
  CompressedMatrix<Number> lower_;       // line i: multipliers of pivot row i, by target row
  CompressedMatrix<Number> lower_rows_;  // its transpose
  CompressedMatrix<Number> upper_;       // line i: row of U pivoted in row i, by the columns' rows
  CompressedMatrix<Number> upper_columns_;  // its transpose
};

extern template class SparseLu<double>;
extern template class SparseLu<Modular>;

}  // namespace pimbb::lp
