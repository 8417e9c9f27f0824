// A factorization of the simplex basis, and its updates.
//
// B = B_0 E_1 ... E_k: an LU factorization of an older basis and one *eta matrix* for each change
// since (product form of the inverse):
//
//              1     a_1  .           E differs from the identity in the column of the row r where
//        E =      1  a_2  .           the basis changed; that column is B^-1 times the entering
//                    a_r  .           column, which the simplex has at hand.
//                    a_4  1
//
//     ftran  solve B x = b:    LU first, then the etas from old to new
//     btran  solve B^T y = c:  the etas from new to old, then LU
//
// Vectors are over rows; the basic variable of row r has its value at r. An eta costs the non-zeros
// of its column in each solve; after `kMostUpdates` changes, or when the etas have more entries
// than the factors, the basis is factorized again. Forrest-Tomlin updates would stay sparser over
// long runs; at the sizes here (hundreds of rows, 50 updates) the etas hold less than the factors.
#pragma once

#include <vector>

#include "lp/scaled_program.hpp"
#include "lp/sparse_lu.hpp"

namespace pimbb::lp {

class BasisFactor {
 public:
  /// Factorizes the columns of the variables in `basic` and permutes `basic` so that basic[r] is
  /// the variable pivoted in row r. If they are linearly dependent, some are replaced by logicals;
  /// returns the variables that were removed.
  std::vector<int> factorize(const ScaledProgram& scaled, std::vector<int>& basic);

  void ftran(SparseVector& x) const;
  void btran(SparseVector& y) const;

  /// Replaces the basis column of `row` by the one for which `column` = B^-1 a was computed.
  void update(int row, const SparseVector& column);

  [[nodiscard]] int updates() const { return static_cast<int>(eta_row_.size()); }
  [[nodiscard]] bool needs_refactorization() const;

 private:
  SparseLu<double> lu_;
  std::vector<int> eta_row_;
  std::vector<double> eta_pivot_;
  CompressedMatrix<double> eta_;  // without the pivots
};

}  // namespace pimbb::lp
