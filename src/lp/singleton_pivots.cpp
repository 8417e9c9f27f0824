// Counting, and taking what has count one.
#include "lp/singleton_pivots.hpp"

#include <cassert>

#include "lp/tolerances.hpp"

namespace pimbb::lp {
namespace {

template <class Number>
CompressedMatrix<Number> without_zeros(const CompressedMatrix<Number>& matrix) {
  CompressedMatrix<Number> out;
  out.index.reserve(matrix.size());
  out.value.reserve(matrix.size());
  for (int line = 0; line < matrix.lines(); ++line) {
    for (int k = matrix.start[line]; k < matrix.start[line + 1]; ++k) {
      if (magnitude(matrix.value[k]) >= kDrop) out.push(matrix.index[k], matrix.value[k]);
    }
    out.close_line();
  }
  return out;
}

/// How many entries of each line are left, -1 for lines that are not left themselves.
template <class Number>
std::vector<int> counts(const CompressedMatrix<Number>& matrix, const std::vector<bool>& line_left,
                        const std::vector<bool>& cross_left) {
  std::vector<int> out;
  for (int line = 0; line < matrix.lines(); ++line) {
    int count = line_left[line] ? 0 : -1;
    for (int k = matrix.start[line]; count >= 0 && k < matrix.start[line + 1]; ++k) {
      if (cross_left[matrix.index[k]]) ++count;
    }
    out.push_back(count);
  }
  return out;
}

/// Lines of count one, the last first.
std::vector<int> single_lines(const std::vector<int>& count) {
  std::vector<int> out;
  for (int line = static_cast<int>(count.size()) - 1; line >= 0; --line) {
    if (count[line] == 1) out.push_back(line);
  }
  return out;
}

/// Where the only entry of a line is that is left.
template <class Number>
int only_entry(const CompressedMatrix<Number>& matrix, int line,
               const std::vector<bool>& cross_left) {
  int k = matrix.start[line];
  while (!cross_left[matrix.index[k]]) ++k;
  assert(k < matrix.start[line + 1]);
  return k;
}

}  // namespace

template <class Number>
SingletonPivots<Number>::SingletonPivots(const CompressedMatrix<Number>& columns)
    : columns_(without_zeros(columns)),
      rows_(transposed(columns_, columns_.lines())),
      row_left_(static_cast<std::size_t>(columns_.lines()), true),
      column_left_(static_cast<std::size_t>(columns_.lines()), true) {
  take_columns();
  take_rows();
  for (int line = 0; line < columns_.lines(); ++line) {
    if (column_left_[line]) kernel_columns_.push_back(line);
    if (row_left_[line]) kernel_rows_.push_back(line);
  }
}

template <class Number>
void SingletonPivots<Number>::take(int row, int column, Number value) {
  row_left_[row] = false;
  column_left_[column] = false;
  pivots_.push_back({{row, column}, value});
  lower_.close_line();
  upper_.close_line();
}

template <class Number>
void SingletonPivots<Number>::take_columns() {
  std::vector<int> count = counts(columns_, column_left_, row_left_);
  std::vector<int> open = single_lines(count);
  while (!open.empty()) {
    const int column = open.back();
    open.pop_back();
    if (count[column] != 1) continue;
    const int at = only_entry(columns_, column, row_left_);
    if (magnitude(columns_.value[at]) < kSmallestPivot) continue;
    const int row = columns_.index[at];
    for (int k = rows_.start[row]; k < rows_.start[row + 1]; ++k) {
      const int other = rows_.index[k];
      if (other == column || !column_left_[other]) continue;
      upper_.push(other, rows_.value[k]);
      if (--count[other] == 1) open.push_back(other);
    }
    take(row, column, columns_.value[at]);
  }
}

template <class Number>
void SingletonPivots<Number>::take_rows() {
  std::vector<int> count = counts(rows_, row_left_, column_left_);
  std::vector<int> open = single_lines(count);
  while (!open.empty()) {
    const int row = open.back();
    open.pop_back();
    if (count[row] != 1) continue;
    const int at = only_entry(rows_, row, column_left_);
    if (magnitude(rows_.value[at]) < kSmallestPivot) continue;
    const int column = rows_.index[at];
    const Number by = divisor(rows_.value[at]);
    for (int k = columns_.start[column]; k < columns_.start[column + 1]; ++k) {
      const int other = columns_.index[k];
      if (other == row || !row_left_[other]) continue;
      lower_.push(other, divided(columns_.value[k], by));
      if (--count[other] == 1) open.push_back(other);
    }
    take(row, column, rows_.value[at]);
  }
}

template <class Number>
CompressedMatrix<Number> SingletonPivots<Number>::kernel() const {
  std::vector<int> number(row_left_.size(), -1);
  for (int k = 0; k < static_cast<int>(kernel_rows_.size()); ++k) number[kernel_rows_[k]] = k;
  CompressedMatrix<Number> out;
  for (const int column : kernel_columns_) {
    for (int k = columns_.start[column]; k < columns_.start[column + 1]; ++k) {
      const int row = number[columns_.index[k]];
      if (row >= 0) out.push(row, columns_.value[k]);
    }
    out.close_line();
  }
  return out;
}

template class SingletonPivots<double>;
template class SingletonPivots<Modular>;

}  // namespace pimbb::lp
