// Recomputing the state, and the linear algebra that both algorithms use.
#include "lp/workspace.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "lp/tolerances.hpp"

namespace pimbb::lp {
namespace {

constexpr double kBox = 1.0;    // in place of one missing bound
constexpr int kFewEntries = 8;  // fewer entries than this part of the variables: listed one by one
constexpr double kBoxOfFree = 1e3;  // in place of both: free variables should become basic

}  // namespace

Workspace::Workspace(const ScaledProgram& given) : scaled(given), cost(given.cost) {
  const auto size = static_cast<std::size_t>(scaled.variables());
  value.assign(size, 0.0);
  reduced.assign(size, 0.0);
  start_from_logicals();
}

void Workspace::start_from_logicals() {
  status.assign(static_cast<std::size_t>(scaled.variables()), VariableStatus::at_lower);
  edge_weight.assign(static_cast<std::size_t>(scaled.variables()), 1.0);
  basic.resize(static_cast<std::size_t>(scaled.rows));
  for (int row = 0; row < scaled.rows; ++row) {
    basic[row] = scaled.logical(row);
    status[basic[row]] = VariableStatus::basic;
  }
  move_nonbasic_to_bounds();
}

void Workspace::add_columns(int count) {
  const int first = scaled.columns - count;
  const auto added = static_cast<std::size_t>(count);
  const auto insert = [&](auto& values, auto filler) {
    values.insert(values.begin() + first, added, filler);
  };
  insert(status, VariableStatus::at_lower);
  insert(value, 0.0);
  insert(reduced, 0.0);
  insert(edge_weight, 1.0);
  restore_costs();
  for (int& v : basic) {
    if (v >= first) v += count;
  }
  move_nonbasic_to_bounds();
  for (int v = first; v < scaled.columns; ++v) value[v] = nonbasic_value(v);
  assert(is_basis_consistent());
}

void Workspace::add_rows(int count) {
  const auto size = static_cast<std::size_t>(scaled.variables());
  status.resize(size, VariableStatus::basic);
  value.resize(size, 0.0);
  reduced.resize(size, 0.0);
  edge_weight.resize(size, 1.0);
  restore_costs();
  for (int row = scaled.rows - count; row < scaled.rows; ++row) {
    const int v = scaled.logical(row);
    basic.push_back(v);
    for (int k = scaled.by_row.start[row]; k < scaled.by_row.start[row + 1]; ++k) {
      value[v] += scaled.by_row.value[k] * value[scaled.by_row.index[k]];
    }
  }
  assert(is_basis_consistent());
}

void Workspace::load_basis(Basis basis) {
  status = std::move(basis.status);
  basic = std::move(basis.basic);
  edge_weight.assign(edge_weight.size(), 1.0);
}

bool Workspace::is_basis_consistent() const {
  std::vector<bool> seen(status.size(), false);
  for (const int v : basic) {
    if (v < 0 || v >= scaled.variables() || seen[v] || status[v] != VariableStatus::basic) {
      return false;
    }
    seen[v] = true;
  }
  return static_cast<int>(basic.size()) == scaled.rows &&
         std::ranges::count(status, VariableStatus::basic) == scaled.rows;
}

bool Workspace::is_nonbasic_at_bounds() const {
  for (int v = 0; v < scaled.variables(); ++v) {
    const bool has_lower = std::isfinite(lower(v));
    const bool has_upper = std::isfinite(upper(v));
    if (status[v] == VariableStatus::at_lower && !has_lower) return false;
    if (status[v] == VariableStatus::at_upper && !has_upper) return false;
    if (status[v] == VariableStatus::at_zero && (has_lower || has_upper)) return false;
  }
  return true;
}

bool Workspace::are_bounds_ordered() const {
  for (int v = 0; v < scaled.variables(); ++v) {
    if (!(lower(v) <= upper(v))) return false;
  }
  return true;
}

double Workspace::violation(int v) const {
  if (value[v] < lower(v)) return value[v] - lower(v);
  if (value[v] > upper(v)) return value[v] - upper(v);
  return 0;
}

double Workspace::dual_violation(int v) const {
  if (status[v] == VariableStatus::basic || lower(v) == upper(v)) return 0;
  switch (status[v]) {
    case VariableStatus::at_lower: return std::max(0.0, -reduced[v]);
    case VariableStatus::at_upper: return std::max(0.0, reduced[v]);
    default: return std::fabs(reduced[v]);
  }
}

bool Workspace::is_primal_feasible() const {
  return std::ranges::all_of(basic, [&](int v) { return std::fabs(violation(v)) <= tolerance; });
}

bool Workspace::is_dual_feasible() const {
  for (int v = 0; v < scaled.variables(); ++v) {
    if (dual_violation(v) > tolerance) return false;
  }
  return true;
}

/// Chooses the bound of a variable that becomes non-basic: the one of least absolute value.
void Workspace::set_default_status(int v) {
  const bool has_lower = std::isfinite(lower(v));
  const bool has_upper = std::isfinite(upper(v));
  if (!has_lower && !has_upper) {
    status[v] = VariableStatus::at_zero;
  } else if (has_lower && (!has_upper || std::fabs(lower(v)) <= std::fabs(upper(v)))) {
    status[v] = VariableStatus::at_lower;
  } else {
    status[v] = VariableStatus::at_upper;
  }
}

void Workspace::move_nonbasic_to_bounds() {
  for (int v = 0; v < scaled.variables(); ++v) {
    const bool has_bound = status[v] == VariableStatus::basic ||
                           (status[v] == VariableStatus::at_lower && std::isfinite(lower(v))) ||
                           (status[v] == VariableStatus::at_upper && std::isfinite(upper(v)));
    if (!has_bound) set_default_status(v);
  }
}

void Workspace::box() {
  box_lower_.assign(status.size(), 0.0);
  box_upper_.assign(status.size(), 0.0);
  for (int v = 0; v < scaled.variables(); ++v) {
    const bool has_lower = std::isfinite(scaled.lower[v]);
    const bool has_upper = std::isfinite(scaled.upper[v]);
    const double size = has_lower || has_upper ? kBox : kBoxOfFree;
    if (!has_lower) box_lower_[v] = -size;
    if (!has_upper) box_upper_[v] = size;
    if (status[v] == VariableStatus::at_zero) status[v] = VariableStatus::at_lower;
  }
  lower_ = &box_lower_;
  upper_ = &box_upper_;
}

void Workspace::unbox() {
  lower_ = &scaled.lower;
  upper_ = &scaled.upper;
  for (int v = 0; v < scaled.variables(); ++v) {
    if (status[v] != VariableStatus::basic) set_default_status(v);
  }
}

void Workspace::flip(int v) {
  assert(status[v] != VariableStatus::basic && std::isfinite(range(v)));
  status[v] =
      status[v] == VariableStatus::at_lower ? VariableStatus::at_upper : VariableStatus::at_lower;
  ++statistics.flips;
  PIMBB_LOG("lp", log_number, ": variable ", v, " flips to its ",
            status[v] == VariableStatus::at_lower ? "lower bound " : "upper bound ",
            nonbasic_value(v));
}

void Workspace::refactorize() {
  ++statistics.refactorizations;
  PIMBB_LOG("lp", log_number, ": factorization ", statistics.refactorizations, " after ",
            factor.updates(), " updates");
  const std::vector<int> removed = factor.factorize(scaled, basic);
  if (removed.empty()) {
    assert(is_basis_consistent());
    return;
  }
  statistics.repairs += static_cast<std::int64_t>(removed.size());
  PIMBB_LOG("lp", log_number, ": ", removed.size(), " dependent basic columns replaced");
  for (const int v : removed) set_default_status(v);
  for (const int v : basic) {
    if (status[v] == VariableStatus::basic) continue;
    status[v] = VariableStatus::basic;
    edge_weight[v] = 1.0;
  }
  assert(is_basis_consistent());
}

void Workspace::compute_values() {
  SparseVector sum(scaled.rows);
  for (int v = 0; v < scaled.variables(); ++v) {
    if (status[v] == VariableStatus::basic) continue;
    value[v] = nonbasic_value(v);
    if (value[v] == 0) continue;
    scaled.for_each_entry(v, [&](int row, double a) { sum.value[row] -= a * value[v]; });
  }
  sum.collect(0.0);
  factor.ftran(sum);
  for (int row = 0; row < scaled.rows; ++row) value[basic[row]] = sum.value[row];
}

void Workspace::compute_reduced() {
  SparseVector multipliers(scaled.rows);
  for (int row = 0; row < scaled.rows; ++row) multipliers.value[row] = cost[basic[row]];
  multipliers.collect(0.0);
  factor.btran(multipliers);
  for (int v = 0; v < scaled.variables(); ++v) {
    double sum = cost[v];
    if (status[v] != VariableStatus::basic) {
      scaled.for_each_entry(v, [&](int row, double a) { sum -= a * multipliers.value[row]; });
    }
    reduced[v] = status[v] == VariableStatus::basic ? 0.0 : sum;
  }
}

void Workspace::refresh() {
  refactorize();
  compute_reduced();
  compute_values();
}

void Workspace::column(int v, SparseVector& out) {
  out.clear();
  assert(out.is_zero());
  scaled.for_each_entry(v, [&](int row, double a) {
    out.value[row] = a;
    out.note(row);
  });
  factor.ftran_entering(out);
}

void Workspace::inverse_row(int r, SparseVector& out) {
  factor.btran_unit(r, out);
  assert(std::ranges::all_of(out.nonzero, [&](int k) { return out.value[k] != 0; }));
}

void Workspace::price(const SparseVector& row, SparseVector& out) const {
  out.clear();
  assert(out.is_zero());
  std::int64_t entries = 0;
  for (const int i : row.nonzero)
    entries += scaled.by_row.start[i + 1] - scaled.by_row.start[i] + 1;
  const bool few = entries < scaled.variables() / kFewEntries;
  for (const int i : row.nonzero) {
    const double factor_of_row = row.value[i];
    for (int k = scaled.by_row.start[i]; k < scaled.by_row.start[i + 1]; ++k) {
      const int column = scaled.by_row.index[k];
      double& at = out.value[column];
      if (few && at == 0.0) out.note(column);
      at += factor_of_row * scaled.by_row.value[k];
      if (few && at == 0.0) at = kNothing;
    }
    const int logical = scaled.logical(i);
    out.value[logical] = -factor_of_row;
    if (few) out.note(logical);
  }
  if (!few) out.collect(kTiny);
}

void Workspace::exchange(int row, int entering, VariableStatus leaving_status,
                         const SparseVector& entering_column) {
  const int leaving = basic[row];
  assert(status[leaving] == VariableStatus::basic && status[entering] != VariableStatus::basic);
  factor.update(row, entering_column);
  basic[row] = entering;
  status[entering] = VariableStatus::basic;
  status[leaving] = leaving_status;
  reduced[entering] = 0.0;
  assert(std::isfinite(nonbasic_value(leaving)));
}

}  // namespace pimbb::lp
