// Exact duals, exact points and exact rays of a basis.
#include "lp/certificate.hpp"

#include <cassert>

#include "exact/rational_impl.hpp"
#include "lp/exact_solve.hpp"
#include "lp/safe_bound.hpp"

namespace pimbb::lp {
namespace {

using boost::multiprecision::cpp_rational;

/// The columns of a basis, each multiplied by the common denominator of its entries.
class ExactBasis {
 public:
  ExactBasis(const LinearProgram& program, const std::vector<VariableStatus>& statuses);

  [[nodiscard]] std::optional<std::vector<Rational>> duals() const;
  /// y B = the unit vector of a basic variable.
  [[nodiscard]] std::optional<std::vector<Rational>> inverse_row(int variable) const;
  /// Values of all variables, columns first; nothing if one violates its range.
  [[nodiscard]] std::optional<std::vector<cpp_rational>> point() const;
  /// Change of all variables if a non-basic one moves by `step`.
  [[nodiscard]] std::optional<std::vector<cpp_rational>> direction(int variable, int step) const;

 private:
  [[nodiscard]] const Range& range(int variable) const;
  template <class Visit>
  void for_each_entry(int variable, Visit visit) const;
  [[nodiscard]] bool complete(std::vector<cpp_rational>& values) const;
  [[nodiscard]] std::optional<std::vector<Rational>> solve_transposed(
      std::vector<cpp_rational> right) const;

  const LinearProgram& program_;
  const std::vector<VariableStatus>& statuses_;
  std::vector<int> basic_;
  std::vector<Integer> scale_;
  std::optional<ExactSolver> solver_;
};

template <class Visit>
void ExactBasis::for_each_entry(int variable, Visit visit) const {
  if (variable >= program_.columns()) {
    visit(variable - program_.columns(), cpp_rational(-1));
    return;
  }
  for (const Entry& entry : program_.entries(ColIndex(variable))) {
    visit(entry.row.value(), entry.value.impl().value);
  }
}

const Range& ExactBasis::range(int variable) const {
  return variable < program_.columns() ? program_.range(ColIndex(variable))
                                       : program_.range(RowIndex(variable - program_.columns()));
}

ExactBasis::ExactBasis(const LinearProgram& program, const std::vector<VariableStatus>& statuses)
    : program_(program), statuses_(statuses) {
  CompressedMatrix<Integer> matrix;
  for (int v = 0; v < static_cast<int>(statuses.size()); ++v) {
    if (statuses[v] != VariableStatus::basic) continue;
    Integer common = 1;
    for_each_entry(v, [&](int, const cpp_rational& a) { common = lcm(common, denominator(a)); });
    for_each_entry(v, [&](int row, const cpp_rational& a) {
      if (a != 0) matrix.push(row, Integer(numerator(a) * (common / denominator(a))));
    });
    matrix.close_line();
    basic_.push_back(v);
    scale_.push_back(std::move(common));
  }
  solver_.emplace(std::move(matrix));
}

/// Brings rationals to integers; returns the common denominator.
Integer to_integers(const std::vector<cpp_rational>& values, std::vector<Integer>& out) {
  Integer common = 1;
  for (const cpp_rational& value : values) common = lcm(common, denominator(value));
  for (const cpp_rational& value : values) {
    out.push_back(numerator(value) * (common / denominator(value)));
  }
  return common;
}

/// y with y B = right, by position.
std::optional<std::vector<Rational>> ExactBasis::solve_transposed(
    std::vector<cpp_rational> right) const {
  for (std::size_t k = 0; k < right.size(); ++k) right[k] *= scale_[k];
  std::vector<Integer> integers;
  const Integer common = to_integers(right, integers);
  const auto solution = solver_->solve_transposed(integers);
  if (!solution) return std::nullopt;
  std::vector<Rational> out;
  for (const Integer& n : solution->numerators) {
    out.push_back(make_rational(cpp_rational(n, Integer(solution->denominator * common))));
  }
  return out;
}

std::optional<std::vector<Rational>> ExactBasis::duals() const {
  std::vector<cpp_rational> costs;
  for (const int v : basic_) {
    costs.push_back(v < program_.columns() ? program_.cost(ColIndex(v)).impl().value
                                           : cpp_rational(0));
  }
  return solve_transposed(std::move(costs));
}

std::optional<std::vector<Rational>> ExactBasis::inverse_row(int variable) const {
  std::vector<cpp_rational> unit;
  for (const int v : basic_) unit.emplace_back(v == variable ? 1 : 0);
  return solve_transposed(std::move(unit));
}

/// Given the values of the non-basic variables, computes those of the basic ones.
bool ExactBasis::complete(std::vector<cpp_rational>& values) const {
  std::vector<cpp_rational> right(static_cast<std::size_t>(program_.rows()));
  for (int v = 0; v < static_cast<int>(statuses_.size()); ++v) {
    if (statuses_[v] == VariableStatus::basic || values[v] == 0) continue;
    for_each_entry(v, [&](int row, const cpp_rational& a) { right[row] -= a * values[v]; });
  }
  std::vector<Integer> integers;
  const Integer common = to_integers(right, integers);
  const auto solution = solver_->solve(integers);
  if (!solution) return false;
  for (std::size_t k = 0; k < basic_.size(); ++k) {
    values[basic_[k]] = cpp_rational(Integer(solution->numerators[k] * scale_[k]),
                                     Integer(solution->denominator * common));
  }
  return true;
}

std::optional<std::vector<cpp_rational>> ExactBasis::point() const {
  std::vector<cpp_rational> values(statuses_.size());
  for (int v = 0; v < static_cast<int>(statuses_.size()); ++v) {
    if (statuses_[v] == VariableStatus::at_lower) values[v] = range(v).lower->impl().value;
    if (statuses_[v] == VariableStatus::at_upper) values[v] = range(v).upper->impl().value;
  }
  if (!complete(values)) return std::nullopt;
  for (const int v : basic_) {
    if (range(v).lower && values[v] < range(v).lower->impl().value) return std::nullopt;
    if (range(v).upper && values[v] > range(v).upper->impl().value) return std::nullopt;
  }
  return values;
}

std::optional<std::vector<cpp_rational>> ExactBasis::direction(int variable, int step) const {
  std::vector<cpp_rational> values(statuses_.size());
  values[variable] = step;
  if (!complete(values)) return std::nullopt;
  return values;
}

cpp_rational objective(const LinearProgram& program, const std::vector<cpp_rational>& values) {
  cpp_rational sum = 0;
  for (ColIndex j; j.value() < program.columns(); ++j) {
    sum += program.cost(j).impl().value * values[j.value()];
  }
  return sum;
}

/// Whether any multiple of `change` keeps all ranges and lowers the objective.
bool is_unbounded_ray(const LinearProgram& program, const std::vector<cpp_rational>& change) {
  const auto keeps = [](const Range& range, const cpp_rational& by) {
    return by == 0 || (by > 0 ? !range.upper : !range.lower);
  };
  for (ColIndex j; j.value() < program.columns(); ++j) {
    if (!keeps(program.range(j), change[j.value()])) return false;
  }
  for (RowIndex i; i.value() < program.rows(); ++i) {
    if (!keeps(program.range(i), change[program.columns() + i.value()])) return false;
  }
  return objective(program, change) < 0;
}

void raise(std::optional<Rational>& bound, const std::optional<Rational>& other) {
  if (other && (!bound || *bound < *other)) bound = other;
}

void certify_optimal(const Simplex& simplex, const ExactBasis& basis, const SafeBound& safe,
                     Certificate& out) {
  if (const auto duals = basis.duals()) {
    raise(out.bound, safe.lower_bound(std::span<const Rational>(*duals)));
  }
  if (const auto point = basis.point()) {
    out.objective = make_rational(objective(simplex.program(), *point));
  }
  assert(!out.bound || !out.objective || *out.bound <= *out.objective);  // weak duality, exact
  out.is_proved = out.bound && out.objective && *out.bound == *out.objective;
}

bool certify_infeasible(const Simplex& simplex, const SafeBound& safe) {
  const std::vector<double> ray = simplex.infeasibility_ray();
  if (safe.proves_infeasible(std::span<const double>(ray))) return true;
  if (simplex.infeasible_row_variable() < 0) return false;
  const ExactBasis basis(simplex.program(), simplex.basis());
  auto row = basis.inverse_row(simplex.infeasible_row_variable());
  if (!row) return false;
  if (safe.proves_infeasible(std::span<const Rational>(*row))) return true;
  for (Rational& value : *row) value = Rational() - value;
  return safe.proves_infeasible(std::span<const Rational>(*row));
}

}  // namespace

Certificate certify(const Simplex& simplex, SimplexStatus status) {
  Certificate out;
  const LinearProgram& program = simplex.program();
  const SafeBound safe(program);
  if (status == SimplexStatus::infeasible) {
    out.is_proved = certify_infeasible(simplex, safe);
    return out;
  }
  if (status == SimplexStatus::unbounded) {
    const ExactBasis basis(program, simplex.basis());
    const int moving = simplex.unbounded_entering();
    const int step = simplex.basis()[moving] == VariableStatus::at_upper ? -1 : 1;
    const auto up = basis.direction(moving, step);
    const auto down = basis.direction(moving, -step);
    out.is_proved = basis.point() && ((up && is_unbounded_ray(program, *up)) ||
                                      (down && is_unbounded_ray(program, *down)));
    return out;
  }
  const std::vector<double> multipliers = simplex.multipliers();
  out.bound = safe.lower_bound(std::span<const double>(multipliers));
  if (status == SimplexStatus::optimal) {
    certify_optimal(simplex, ExactBasis(program, simplex.basis()), safe, out);
  }
  return out;
}

}  // namespace pimbb::lp
