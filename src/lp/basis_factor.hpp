// A factorization of the simplex basis, and its updates.
//
// B = L R_1^-1 ... R_k^-1 U: the LU factorization of an older basis, whose U has been made that of
// the present one (Forrest and Tomlin 1972). When a column a replaces the one pivoted in row r:
//
//        * * * * *         column r of U becomes the *spike* s = R_k ... R_1 L^-1 a, which has
//          * s * *         entries anywhere; row and column r move to the end of the order, and
//            s * *         what is then left of row r before the diagonal is eliminated:
//            s * *             row r -= sum_j mu_j row j        (R_(k+1), one row of multipliers).
//            s   *         Only the pivot of row r is left of that row.
//
// The multipliers need no elimination: with z U = unit vector r, mu_j = -z_j / z_r, because z B' is
// row r of the inverse, which was computed to choose the pivot anyway. The new pivot is the old one
// times entry r of B^-1 a.
//
//     ftran  solve B x = b:    L, then R_1 ... R_k, then U
//     btran  solve B^T y = c:  U, then R_k ... R_1, then L; all four triangles by
//     triangular_solve.hpp
//
// Vectors are over rows; the basic variable of row r has its value at r. The list of a vector must
// have all its non-zeros. After `kMostUpdates` changes, or when the factors have grown much, the
// basis is factorized again.
#pragma once

#include <vector>

#include "lp/growing_matrix.hpp"
#include "lp/scaled_program.hpp"
#include "lp/sparse_lu.hpp"
#include "lp/triangular_solve.hpp"

namespace pimbb::lp {

class BasisFactor {
 public:
  /// Factorizes the columns of the variables in `basic` and permutes `basic` so that basic[r] is
  /// the variable pivoted in row r. If they are linearly dependent, some are replaced by logicals;
  /// returns the variables that were removed.
  std::vector<int> factorize(const ScaledProgram& scaled, std::vector<int>& basic);

  void ftran(SparseVector& x) { ftran(x, nullptr); }
  void btran(SparseVector& y) { btran(y, nullptr); }

  /// ftran of a column that may enter: update() needs what it remembers.
  void ftran_entering(SparseVector& x) { ftran(x, &spike_); }
  /// btran of the unit vector of a row: spares update() some work.
  void btran_unit(int row, SparseVector& y);

  /// Replaces the basis column of `row` by the one for which `column` = B^-1 a was computed last by
  /// ftran_entering().
  void update(int row, const SparseVector& column);

  [[nodiscard]] int updates() const { return static_cast<int>(eta_row_.size()); }
  [[nodiscard]] bool needs_refactorization() const;

 private:
  /// What a vector holds at its non-zeros.
  using Items = std::vector<GrowingMatrix::Item>;
  static void keep(const SparseVector& x, bool listed, Items& out);

  void ftran(SparseVector& x, Items* spike);
  void btran(SparseVector& y, Items* row_of_upper);
  void solve_upper_transposed(SparseVector& y, bool& listed);
  void remember_row(int row);
  void replace_column(int row);

  SparseLu<double> lu_;
  GrowingMatrix lower_;
  GrowingMatrix lower_rows_;
  GrowingMatrix upper_;
  GrowingMatrix upper_columns_;
  std::vector<double> pivot_;      // of U, by row
  std::vector<int> upper_order_;   // rows; -1 where one has moved to the end
  std::vector<int> place_;         // of a row in upper_order_
  std::vector<int> eta_row_;       // of R_1, ..., R_k
  CompressedMatrix<double> eta_;   // their multipliers
  std::size_t fresh_entries_ = 0;  // of U after the factorization
  Items spike_;
  Items row_of_inverse_of_upper_;  // z
  int remembered_row_ = -1;
  SparseVector work_;
  TriangularSolve by_lower_;
  TriangularSolve by_upper_;
  TriangularSolve by_upper_transposed_;
  TriangularSolve by_lower_transposed_;
};

}  // namespace pimbb::lp
