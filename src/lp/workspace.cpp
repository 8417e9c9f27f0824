// Recomputing the state, and the linear algebra that both algorithms use.
#include "lp/workspace.hpp"

#include <algorithm>
#include <cmath>

#include "lp/tolerances.hpp"

namespace pimbb::lp {

Workspace::Workspace(const Model& given) : model(given), cost(given.cost) {
  const auto size = static_cast<std::size_t>(model.variables());
  value.assign(size, 0.0);
  reduced.assign(size, 0.0);
  start_from_logicals();
}

void Workspace::start_from_logicals() {
  place.assign(static_cast<std::size_t>(model.variables()), Place::at_lower);
  edge_weight.assign(static_cast<std::size_t>(model.variables()), 1.0);
  basic.resize(static_cast<std::size_t>(model.rows));
  for (int row = 0; row < model.rows; ++row) {
    basic[row] = model.logical(row);
    place[basic[row]] = Place::basic;
  }
  settle();
}

void Workspace::load_basis(Basis basis) {
  place = std::move(basis.place);
  basic = std::move(basis.basic);
  edge_weight.assign(edge_weight.size(), 1.0);
}

double Workspace::violation(int v) const {
  if (value[v] < lower(v)) return value[v] - lower(v);
  if (value[v] > upper(v)) return value[v] - upper(v);
  return 0;
}

double Workspace::dual_violation(int v) const {
  if (place[v] == Place::basic || lower(v) == upper(v)) return 0;
  switch (place[v]) {
    case Place::at_lower: return std::max(0.0, -reduced[v]);
    case Place::at_upper: return std::max(0.0, reduced[v]);
    default: return std::fabs(reduced[v]);
  }
}

bool Workspace::is_primal_feasible() const {
  return std::ranges::all_of(basic, [&](int v) { return std::fabs(violation(v)) <= tolerance; });
}

bool Workspace::is_dual_feasible() const {
  for (int v = 0; v < model.variables(); ++v) {
    if (dual_violation(v) > tolerance) return false;
  }
  return true;
}

/// Chooses a bound for a variable that has no place yet: the one of least absolute value.
void Workspace::rest(int v) {
  const bool has_lower = std::isfinite(lower(v));
  const bool has_upper = std::isfinite(upper(v));
  if (!has_lower && !has_upper) {
    place[v] = Place::at_zero;
  } else if (has_lower && (!has_upper || std::fabs(lower(v)) <= std::fabs(upper(v)))) {
    place[v] = Place::at_lower;
  } else {
    place[v] = Place::at_upper;
  }
}

void Workspace::settle() {
  for (int v = 0; v < model.variables(); ++v) {
    const bool stands = place[v] == Place::basic ||
                        (place[v] == Place::at_lower && std::isfinite(lower(v))) ||
                        (place[v] == Place::at_upper && std::isfinite(upper(v)));
    if (!stands) rest(v);
  }
}

void Workspace::flip(int v) {
  place[v] = place[v] == Place::at_lower ? Place::at_upper : Place::at_lower;
  ++statistics.flips;
}

void Workspace::refactorize() {
  ++statistics.refactorizations;
  const std::vector<int> gone = factor.factorize(model, basic);
  if (gone.empty()) return;
  statistics.repairs += static_cast<std::int64_t>(gone.size());
  for (const int v : gone) rest(v);
  for (const int v : basic) {
    if (place[v] == Place::basic) continue;
    place[v] = Place::basic;
    edge_weight[v] = 1.0;
  }
}

void Workspace::compute_values() {
  SparseVector sum(model.rows);
  for (int v = 0; v < model.variables(); ++v) {
    if (place[v] == Place::basic) continue;
    value[v] = place[v] == Place::at_lower   ? lower(v)
               : place[v] == Place::at_upper ? upper(v)
                                             : 0.0;
    if (value[v] == 0) continue;
    model.for_each_entry(v, [&](int row, double a) { sum.value[row] -= a * value[v]; });
  }
  factor.ftran(sum);
  for (int row = 0; row < model.rows; ++row) value[basic[row]] = sum.value[row];
}

void Workspace::compute_reduced() {
  SparseVector multipliers(model.rows);
  for (int row = 0; row < model.rows; ++row) multipliers.value[row] = cost[basic[row]];
  factor.btran(multipliers);
  for (int v = 0; v < model.variables(); ++v) {
    double sum = cost[v];
    if (place[v] != Place::basic) {
      model.for_each_entry(v, [&](int row, double a) { sum -= a * multipliers.value[row]; });
    }
    reduced[v] = place[v] == Place::basic ? 0.0 : sum;
  }
}

void Workspace::refresh() {
  refactorize();
  compute_reduced();
  compute_values();
}

void Workspace::column(int v, SparseVector& out) const {
  out.clear();
  model.for_each_entry(v, [&](int row, double a) { out.value[row] = a; });
  factor.ftran(out);
}

void Workspace::inverse_row(int r, SparseVector& out) const {
  out.clear();
  out.value[r] = 1.0;
  factor.btran(out);
}

void Workspace::price(const SparseVector& row, SparseVector& out) const {
  out.clear();
  for (const int i : row.nonzero) {
    const double factor_of_row = row.value[i];
    for (int k = model.by_row.start[i]; k < model.by_row.start[i + 1]; ++k) {
      out.value[model.by_row.index[k]] += factor_of_row * model.by_row.value[k];
    }
    out.value[model.logical(i)] = -factor_of_row;
  }
  out.collect(kTiny);
}

void Workspace::exchange(int row, int entering, Place rest_of_leaving,
                         const SparseVector& entering_column) {
  const int leaving = basic[row];
  factor.update(row, entering_column);
  basic[row] = entering;
  place[entering] = Place::basic;
  place[leaving] = rest_of_leaving;
  reduced[entering] = 0.0;
}

}  // namespace pimbb::lp
