// Factorizing a basis, and the product form of its later changes.
#include "lp/basis_factor.hpp"

#include <cassert>

#include "lp/tolerances.hpp"

namespace pimbb::lp {
namespace {

constexpr int kMostUpdates = 64;

}  // namespace

std::vector<int> BasisFactor::factorize(const ScaledProgram& scaled, std::vector<int>& basic) {
  CompressedMatrix<double> matrix;
  for (const int variable : basic) {
    scaled.for_each_entry(variable, [&](int row, double value) { matrix.push(row, value); });
    matrix.close_line();
  }
  lu_.factorize(matrix);
  eta_row_.clear();
  eta_pivot_.clear();
  eta_.clear();

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

void BasisFactor::ftran(SparseVector& x) const {
  lu_.ftran(x.value);
  for (int e = 0; e < updates(); ++e) {
    double& at_pivot = x.value[eta_row_[e]];
    if (at_pivot == 0.0) continue;
    at_pivot /= eta_pivot_[e];
    for (int k = eta_.start[e]; k < eta_.start[e + 1]; ++k) {
      x.value[eta_.index[k]] -= eta_.value[k] * at_pivot;
    }
  }
  x.collect(kTiny);
}

void BasisFactor::btran(SparseVector& y) const {
  for (int e = updates() - 1; e >= 0; --e) {
    double sum = y.value[eta_row_[e]];
    for (int k = eta_.start[e]; k < eta_.start[e + 1]; ++k) {
      sum -= eta_.value[k] * y.value[eta_.index[k]];
    }
    y.value[eta_row_[e]] = sum / eta_pivot_[e];
  }
  lu_.btran(y.value);
  y.collect(kTiny);
}

void BasisFactor::update(int row, const SparseVector& column) {
  assert(column.value[row] != 0);
  for (const int k : column.nonzero) {
    if (k != row) eta_.push(k, column.value[k]);
  }
  eta_.close_line();
  eta_row_.push_back(row);
  eta_pivot_.push_back(column.value[row]);
}

bool BasisFactor::needs_refactorization() const {
  return updates() >= kMostUpdates || eta_.size() > 2 * lu_.entries() + 4096;
}

}  // namespace pimbb::lp
