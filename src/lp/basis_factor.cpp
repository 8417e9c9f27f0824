// Factorizing a basis, and the updates of Forrest and Tomlin.
#include "lp/basis_factor.hpp"

#include <cassert>

#include "lp/tolerances.hpp"

namespace pimbb::lp {
namespace {

constexpr int kMostUpdates = 100;

constexpr auto kUnitPivot = [](int, double value) { return value; };

}  // namespace

std::vector<int> BasisFactor::factorize(const ScaledProgram& scaled, std::vector<int>& basic) {
  CompressedMatrix<double> matrix;
  for (const int variable : basic) {
    scaled.for_each_entry(variable, [&](int row, double value) { matrix.push(row, value); });
    matrix.close_line();
  }
  lu_.factorize(matrix);
  const int size = matrix.lines();
  if (static_cast<int>(place_.size()) != size) {
    work_ = SparseVector(size);
    for (TriangularSolve* solve :
         {&by_lower_, &by_upper_, &by_upper_transposed_, &by_lower_transposed_}) {
      *solve = TriangularSolve(size);
    }
  }
  lower_.assign(lu_.lower());
  lower_rows_.assign(lu_.lower_rows());
  upper_.assign(lu_.upper());
  upper_columns_.assign(lu_.upper_columns());
  pivot_ = lu_.divisors();
  upper_order_ = lu_.order();
  place_.resize(static_cast<std::size_t>(size));
  for (int k = 0; k < size; ++k) place_[upper_order_[k]] = k;
  eta_row_.clear();
  eta_.clear();
  fresh_entries_ = upper_.size();
  remembered_row_ = -1;

  std::vector<int> old = basic;
  std::vector<int> removed;
  for (const auto& [position, row] : lu_.replaced()) {
    removed.push_back(old[position]);
    old[position] = scaled.logical(row);
  }
  for (int position = 0; position < static_cast<int>(old.size()); ++position) {
    basic[lu_.row_of(position)] = old[position];
  }
  return removed;
}

/// Copies the non-zeros.
void BasisFactor::keep(const SparseVector& x, bool listed, Items& out) {
  out.clear();
  const auto add = [&](int k) {
    if (x.value[k] > kTiny || x.value[k] < -kTiny) out.push_back({k, x.value[k]});
  };
  if (listed) {
    for (const int k : x.nonzero) add(k);
  } else {
    for (int k = 0; k < static_cast<int>(x.value.size()); ++k) add(k);
  }
}

void BasisFactor::ftran(SparseVector& x, Items* spike) {
  bool listed = true;
  const std::vector<int>& order = lu_.order();
  by_lower_(x, listed, order.begin(), order.end(), lower_, kUnitPivot);
  for (int e = 0; e < updates(); ++e) {
    double sum = 0;
    for (int k = eta_.start[e]; k < eta_.start[e + 1]; ++k) {
      sum += eta_.value[k] * x.value[eta_.index[k]];
    }
    if (sum == 0.0) continue;
    double& at = x.value[eta_row_[e]];
    if (at == 0.0) x.note(eta_row_[e]);
    at -= sum;
    if (at == 0.0) at = kNothing;  // listed, and not to be listed twice
  }
  if (spike != nullptr) keep(x, listed, *spike);
  by_upper_(x, listed, upper_order_.rbegin(), upper_order_.rend(), upper_columns_,
            [&](int k, double value) { return value / pivot_[k]; });
  if (!listed) x.collect(kTiny);
}

void BasisFactor::solve_upper_transposed(SparseVector& y, bool& listed) {
  by_upper_transposed_(y, listed, upper_order_.begin(), upper_order_.end(), upper_,
                       [&](int k, double value) { return value / pivot_[k]; });
}

void BasisFactor::btran(SparseVector& y, Items* row_of_upper) {
  bool listed = true;
  solve_upper_transposed(y, listed);
  if (row_of_upper != nullptr) keep(y, listed, *row_of_upper);
  for (int e = updates() - 1; e >= 0; --e) {
    const double at = y.value[eta_row_[e]];
    if (at == 0.0) continue;
    for (int k = eta_.start[e]; k < eta_.start[e + 1]; ++k) {
      double& target = y.value[eta_.index[k]];
      if (target == 0.0) y.note(eta_.index[k]);
      target -= eta_.value[k] * at;
      if (target == 0.0) target = kNothing;
    }
  }
  const std::vector<int>& order = lu_.order();
  by_lower_transposed_(y, listed, order.rbegin(), order.rend(), lower_rows_, kUnitPivot);
  if (!listed) y.collect(kTiny);
}

void BasisFactor::btran_unit(int row, SparseVector& y) {
  y.clear();
  y.value[row] = 1.0;
  y.note(row);
  btran(y, &row_of_inverse_of_upper_);
  remembered_row_ = row;
}

void BasisFactor::remember_row(int row) {
  work_.clear();
  work_.value[row] = 1.0;
  work_.note(row);
  bool listed = true;
  solve_upper_transposed(work_, listed);
  keep(work_, listed, row_of_inverse_of_upper_);
  if (!listed) work_.collect(0.0);
  remembered_row_ = row;
}

/// Row and column `row` of U are removed, the spike becomes the column.
void BasisFactor::replace_column(int row) {
  for (auto item = upper_columns_.begin(row); item != upper_columns_.end(row); ++item) {
    upper_.remove(item->index, row);
  }
  for (auto item = upper_.begin(row); item != upper_.end(row); ++item) {
    upper_columns_.remove(item->index, row);
  }
  upper_.clear(row);
  upper_columns_.clear(row);
  for (const auto& [index, value] : spike_) {
    if (index == row) continue;
    upper_columns_.push(row, {index, value});
    upper_.push(index, {row, value});
  }
  upper_order_[place_[row]] = -1;
  place_[row] = static_cast<int>(upper_order_.size());
  upper_order_.push_back(row);
}

void BasisFactor::update(int row, const SparseVector& column) {
  assert(column.value[row] != 0);
  if (remembered_row_ != row) remember_row(row);
  for (const auto& [index, value] : row_of_inverse_of_upper_) {
    if (index != row) eta_.push(index, -value * pivot_[row]);
  }
  eta_.close_line();
  eta_row_.push_back(row);
  replace_column(row);
  pivot_[row] *= column.value[row];
  remembered_row_ = -1;
}

bool BasisFactor::needs_refactorization() const {
  return updates() >= kMostUpdates ||
         upper_.size() + eta_.size() > 3 * fresh_entries_ + place_.size() + 4096;
}

}  // namespace pimbb::lp
