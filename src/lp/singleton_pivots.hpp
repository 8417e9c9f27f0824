// The pivots of a matrix that need no elimination: those in lines of count one.
//
// A column with one entry in the rows that are left makes it a pivot; its row leaves, so that other
// columns may have one entry left. Then rows with one entry in the columns that are left, likewise:
//
//        P * * * *        a column of count one: the rest of the row belongs to U
//          P * * *
//            P . .        a row of count one: the rest of the column, divided by P, belongs to L
//            * k k
//            * k k        k: the kernel, which is left to Markowitz elimination (active_matrix.hpp)
//
// When columns have none left, taking a row of count one leaves none either: it takes no row of
// another column. Simplex bases are mostly such pivots. Linear time; the lists are static, only
// counts change.
#pragma once

#include <vector>

#include "lp/active_matrix.hpp"
#include "lp/sparse.hpp"

namespace pimbb::lp {

template <class Number>
class SingletonPivots {
 public:
  struct Pivot {
    PivotPosition position;
    Number value;
  };

  explicit SingletonPivots(const CompressedMatrix<Number>& columns);

  /// In order; for each there is a line in lower() (by row) and in upper() (by column).
  [[nodiscard]] const std::vector<Pivot>& pivots() const { return pivots_; }
  [[nodiscard]] const CompressedMatrix<Number>& lower() const { return lower_; }
  [[nodiscard]] const CompressedMatrix<Number>& upper() const { return upper_; }

  /// The columns and rows that are left, ascending.
  [[nodiscard]] const std::vector<int>& kernel_columns() const { return kernel_columns_; }
  [[nodiscard]] const std::vector<int>& kernel_rows() const { return kernel_rows_; }
  /// Their entries; rows and columns are numbered as in these two lists.
  [[nodiscard]] CompressedMatrix<Number> kernel() const;

 private:
  void take_columns();
  void take_rows();
  void take(int row, int column, Number value);

  CompressedMatrix<Number> columns_;
  CompressedMatrix<Number> rows_;
  std::vector<bool> row_left_;
  std::vector<bool> column_left_;
  std::vector<Pivot> pivots_;
  CompressedMatrix<Number> lower_;
  CompressedMatrix<Number> upper_;
  std::vector<int> kernel_columns_;
  std::vector<int> kernel_rows_;
};

extern template class SingletonPivots<double>;
extern template class SingletonPivots<Modular>;

}  // namespace pimbb::lp
