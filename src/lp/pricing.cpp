// Dual steepest edge weights.
#include "lp/pricing.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pimbb::lp {
namespace {

constexpr double kLeastWeight = 1e-4;
constexpr double kFarTooSmall = 0.1;

}  // namespace

int DualPricing::choose(bool bland) const {
  int best = -1;
  double best_merit = 0;
  for (int row = 0; row < work_.scaled.rows; ++row) {
    const int v = work_.basic[row];
    const double violation = work_.violation(v);
    if (std::fabs(violation) <= work_.tolerance || banned_[row]) continue;
    assert(work_.edge_weight[v] > 0);
    const double merit = violation * violation / work_.edge_weight[v];
    const bool better =
        best < 0 || (bland ? v < work_.basic[best]
                           : merit > best_merit || (merit == best_merit && v < work_.basic[best]));
    if (!better) continue;
    best = row;
    best_merit = merit;
  }
  return best;
}

bool DualPricing::correct(int row, const SparseVector& inverse_row) {
  double square = 0;
  for (const int k : inverse_row.nonzero) square += inverse_row.value[k] * inverse_row.value[k];
  double& weight = work_.edge_weight[work_.basic[row]];
  const bool plausible = weight >= kFarTooSmall * square;
  weight = std::max(square, kLeastWeight);
  return plausible;
}

void DualPricing::update(int row, int entering, const SparseVector& column,
                         const SparseVector& inverse_row) {
  tau_.clear();
  for (const int k : inverse_row.nonzero) {
    tau_.value[k] = inverse_row.value[k];
    tau_.note(k);
  }
  work_.factor.ftran(tau_);
  const double pivot = column.value[row];
  assert(pivot != 0);
  const double leaving_weight = work_.edge_weight[work_.basic[row]];
  for (const int i : column.nonzero) {
    if (i == row) continue;
    const double ratio = column.value[i] / pivot;
    double& weight = work_.edge_weight[work_.basic[i]];
    weight += ratio * (ratio * leaving_weight - 2 * tau_.value[i]);
    weight = std::max(weight, kLeastWeight + ratio * ratio);
  }
  work_.edge_weight[entering] = std::max(leaving_weight / (pivot * pivot), kLeastWeight);
}

}  // namespace pimbb::lp
