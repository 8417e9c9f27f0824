// The loop of the elimination, and solving with its result.
#include "lp/sparse_lu.hpp"

#include <algorithm>
#include <cassert>

#include "lp/active_matrix.hpp"
#include "lp/singleton_pivots.hpp"

namespace pimbb::lp {
namespace {

/// Lines in pivot order, over columns -> lines by row, over the rows that the columns got.
/// `to_row` < 0 drops an entry.
template <class Number>
CompressedMatrix<Number> by_row(const CompressedMatrix<Number>& steps,
                                const std::vector<int>& order, const std::vector<int>* to_row) {
  std::vector<int> step_of_row(order.size());
  for (int step = 0; step < static_cast<int>(order.size()); ++step) step_of_row[order[step]] = step;
  CompressedMatrix<Number> out;
  for (const int step : step_of_row) {
    if (step < steps.lines()) {
      for (int k = steps.start[step]; k < steps.start[step + 1]; ++k) {
        const int index = to_row == nullptr ? steps.index[k] : (*to_row)[steps.index[k]];
        if (index >= 0) out.push(index, steps.value[k]);
      }
    }
    out.close_line();
  }
  return out;
}

/// Whether all of 0 .. size-1 occur, once each.
[[maybe_unused]] bool is_permutation(const std::vector<int>& order, int size) {
  std::vector<bool> seen(static_cast<std::size_t>(size), false);
  for (const int k : order) {
    if (k < 0 || k >= size || seen[k]) return false;
    seen[k] = true;
  }
  return static_cast<int>(order.size()) == size;
}

}  // namespace

template <class Number>
void SparseLu<Number>::factorize(const CompressedMatrix<Number>& matrix) {
  const int size = matrix.lines();
  order_.clear();
  replaced_.clear();
  row_of_position_.assign(static_cast<std::size_t>(size), -1);
  divisor_.assign(static_cast<std::size_t>(size), Number());
  const SingletonPivots<Number> singletons(matrix);
  CompressedMatrix<Number> lower = singletons.lower();
  CompressedMatrix<Number> upper = singletons.upper();
  const auto note = [&](int row, int column, Number pivot) {
    divisor_[row] = divisor(pivot);
    row_of_position_[column] = row;
    order_.push_back(row);
  };
  for (const auto& [position, value] : singletons.pivots()) {
    note(position.row, position.column, value);
  }
  const std::vector<int>& rows = singletons.kernel_rows();
  const std::vector<int>& columns = singletons.kernel_columns();
  const std::size_t lower_before = lower.size();
  const std::size_t upper_before = upper.size();
  ActiveMatrix<Number> active(singletons.kernel());
  while (const auto pivot = active.choose()) {
    const Number value = active.eliminate(*pivot, lower, upper);
    note(rows[pivot->row], columns[pivot->column], value);
  }
  for (std::size_t k = lower_before; k < lower.size(); ++k) lower.index[k] = rows[lower.index[k]];
  for (std::size_t k = upper_before; k < upper.size(); ++k)
    upper.index[k] = columns[upper.index[k]];
  // Columns without a pivot are replaced; their entries of U are dropped.
  const std::vector<int> pivoted_row = row_of_position_;
  std::vector<bool> used(static_cast<std::size_t>(size), false);
  for (const int row : order_) used[row] = true;
  for (int position = 0, row = 0; position < size; ++position) {
    if (row_of_position_[position] >= 0) continue;
    while (used[row]) ++row;
    used[row] = true;
    row_of_position_[position] = row;
    divisor_[row] = divisor(Number() - Number(1));
    order_.push_back(row);
    replaced_.emplace_back(position, row);
  }
  assert(is_permutation(order_, size) && is_permutation(row_of_position_, size));
  assert(std::ranges::none_of(divisor_, [](Number pivot) { return pivot == Number(); }));
  lower_ = by_row(lower, order_, nullptr);
  upper_ = by_row(upper, order_, &pivoted_row);
  lower_rows_ = transposed(lower_, size);
  upper_columns_ = transposed(upper_, size);
}

namespace {

/// x -= factor * line
template <class Number>
inline void subtract(const CompressedMatrix<Number>& matrix, int line, Number factor,
                     std::vector<Number>& x) {
  for (int k = matrix.start[line]; k < matrix.start[line + 1]; ++k) {
    x[matrix.index[k]] -= matrix.value[k] * factor;
  }
}

}  // namespace

template <class Number>
void SparseLu<Number>::ftran(std::vector<Number>& x) const {
  for (const int row : order_) {
    if (!(x[row] == Number())) subtract(lower_, row, x[row], x);
  }
  for (auto row = order_.rbegin(); row != order_.rend(); ++row) {
    if (x[*row] == Number()) continue;
    x[*row] = divided(x[*row], divisor_[*row]);
    subtract(upper_columns_, *row, x[*row], x);
  }
}

template <class Number>
void SparseLu<Number>::btran(std::vector<Number>& y) const {
  for (const int row : order_) {
    if (y[row] == Number()) continue;
    y[row] = divided(y[row], divisor_[row]);
    subtract(upper_, row, y[row], y);
  }
  for (auto row = order_.rbegin(); row != order_.rend(); ++row) {
    if (!(y[*row] == Number())) subtract(lower_rows_, *row, y[*row], y);
  }
}

template class SparseLu<double>;
template class SparseLu<Modular>;

}  // namespace pimbb::lp
