// Exact duals, exact points and exact rays of a basis.
#include "lp/certificate.hpp"

#include <algorithm>
#include <cassert>

#include "exact/rational_impl.hpp"
#include "lp/exact_solve.hpp"
#include "lp/safe_bound.hpp"

namespace pimbb::lp {
namespace {

using boost::multiprecision::cpp_rational;

/// Values of all variables. Those of the basic ones have a common denominator, which can have
/// thousands of digits: nothing is brought to lowest terms.
struct Point {
  std::vector<cpp_rational> nonbasic;  // by variable, 0 for basic ones
  std::vector<Integer> basic;          // numerators by variable, 0 for non-basic ones
  Integer denominator = 1;

  [[nodiscard]] int sign(int variable) const {
    return basic[variable].is_zero() ? nonbasic[variable].sign() : basic[variable].sign();
  }
};

/// The columns of a basis, each multiplied by the common denominator of its entries.
class ExactBasis {
 public:
  ExactBasis(const LinearProgram& program, const std::vector<VariableStatus>& statuses);

  [[nodiscard]] std::optional<ExactVector> duals() const;
  /// y B = the unit vector of a basic variable.
  [[nodiscard]] std::optional<ExactVector> inverse_row(int variable) const;
  /// The basic solution; nothing if it violates a range.
  [[nodiscard]] std::optional<Point> point() const;
  /// Change of all variables if a non-basic one moves by `step`.
  [[nodiscard]] std::optional<Point> direction(int variable, int step) const;

 private:
  [[nodiscard]] const Range& range(int variable) const;
  template <class Visit>
  void for_each_entry(int variable, Visit visit) const;
  [[nodiscard]] std::optional<Point> completed(std::vector<cpp_rational> nonbasic) const;
  [[nodiscard]] bool is_within(int variable, const Point& point) const;
  [[nodiscard]] std::optional<ExactVector> solve_transposed(std::vector<cpp_rational> right) const;

  const LinearProgram& program_;
  const std::vector<VariableStatus>& statuses_;
  std::vector<int> basic_;
  std::vector<Integer> scale_;
  std::optional<ExactSolver> solver_;
};

template <class Visit>
void ExactBasis::for_each_entry(int variable, Visit visit) const {
  static const cpp_rational minus_one(-1);
  if (variable >= program_.columns()) {
    visit(variable - program_.columns(), minus_one);
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

/// Makes `common` a multiple of a denominator.
void include(Integer& common, const Integer& denominator) {
  if (denominator != 1 && common % denominator != 0) common = lcm(common, denominator);
}

/// value * common, where `common` is a multiple of the denominator.
Integer numerator_over(const cpp_rational& value, const Integer& common) {
  if (common == 1) return numerator(value);
  return numerator(value) * (common / denominator(value));
}

ExactBasis::ExactBasis(const LinearProgram& program, const std::vector<VariableStatus>& statuses)
    : program_(program), statuses_(statuses) {
  CompressedMatrix<Integer> matrix;
  for (int v = 0; v < static_cast<int>(statuses.size()); ++v) {
    if (statuses[v] != VariableStatus::basic) continue;
    Integer common = 1;
    for_each_entry(v, [&](int, const cpp_rational& a) { include(common, denominator(a)); });
    for_each_entry(v, [&](int row, const cpp_rational& a) {
      if (a != 0) matrix.push(row, numerator_over(a, common));
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
  for (const cpp_rational& value : values) include(common, denominator(value));
  for (const cpp_rational& value : values) out.push_back(numerator_over(value, common));
  return common;
}

/// y with y B = right, by position.
std::optional<ExactVector> ExactBasis::solve_transposed(std::vector<cpp_rational> right) const {
  for (std::size_t k = 0; k < right.size(); ++k) right[k] *= scale_[k];
  std::vector<Integer> integers;
  const Integer common = to_integers(right, integers);
  auto solution = solver_->solve_transposed(integers);
  if (solution) solution->denominator *= common;
  return solution;
}

std::optional<ExactVector> ExactBasis::duals() const {
  std::vector<cpp_rational> costs;
  for (const int v : basic_) {
    costs.push_back(v < program_.columns() ? program_.cost(ColIndex(v)).impl().value
                                           : cpp_rational(0));
  }
  return solve_transposed(std::move(costs));
}

std::optional<ExactVector> ExactBasis::inverse_row(int variable) const {
  std::vector<cpp_rational> unit;
  for (const int v : basic_) unit.emplace_back(v == variable ? 1 : 0);
  return solve_transposed(std::move(unit));
}

/// Given the values of the non-basic variables, computes those of the basic ones.
std::optional<Point> ExactBasis::completed(std::vector<cpp_rational> nonbasic) const {
  std::vector<cpp_rational> right(static_cast<std::size_t>(program_.rows()));
  for (int v = 0; v < static_cast<int>(statuses_.size()); ++v) {
    if (nonbasic[v].is_zero()) continue;
    for_each_entry(v, [&](int row, const cpp_rational& a) { right[row] -= a * nonbasic[v]; });
  }
  std::vector<Integer> integers;
  const Integer common = to_integers(right, integers);
  auto solution = solver_->solve(integers);
  if (!solution) return std::nullopt;
  Point point{std::move(nonbasic), std::vector<Integer>(statuses_.size()),
              solution->denominator * common};
  for (std::size_t k = 0; k < basic_.size(); ++k) {
    point.basic[basic_[k]] = std::move(solution->numerators[k]);
    point.basic[basic_[k]] *= scale_[k];
  }
  return point;
}

/// Whether a basic variable keeps its range.
bool ExactBasis::is_within(int variable, const Point& point) const {
  const Integer& value = point.basic[variable];
  const auto order = [&](const Rational& bound) {  // of the value compared with the bound
    const cpp_rational& b = bound.impl().value;
    if (b.is_zero()) return value.sign();
    return Integer(value * denominator(b)).compare(Integer(numerator(b) * point.denominator));
  };
  const Range& limits = range(variable);
  return !(limits.lower && order(*limits.lower) < 0) && !(limits.upper && order(*limits.upper) > 0);
}

std::optional<Point> ExactBasis::point() const {
  std::vector<cpp_rational> values(statuses_.size());
  for (int v = 0; v < static_cast<int>(statuses_.size()); ++v) {
    if (statuses_[v] == VariableStatus::at_lower) values[v] = range(v).lower->impl().value;
    if (statuses_[v] == VariableStatus::at_upper) values[v] = range(v).upper->impl().value;
  }
  auto point = completed(std::move(values));
  if (point && !std::ranges::all_of(basic_, [&](int v) { return is_within(v, *point); })) {
    return std::nullopt;
  }
  return point;
}

std::optional<Point> ExactBasis::direction(int variable, int step) const {
  std::vector<cpp_rational> values(statuses_.size());
  values[variable] = step;
  return completed(std::move(values));
}

cpp_rational objective(const LinearProgram& program, const Point& point) {
  cpp_rational of_nonbasic = 0;
  Integer common = 1;
  for (ColIndex j; j.value() < program.columns(); ++j) {
    const cpp_rational& cost = program.cost(j).impl().value;
    if (!point.nonbasic[j.value()].is_zero()) of_nonbasic += cost * point.nonbasic[j.value()];
    include(common, denominator(cost));
  }
  Integer of_basic = 0;
  for (ColIndex j; j.value() < program.columns(); ++j) {
    const Integer& value = point.basic[j.value()];
    if (value.is_zero() || program.cost(j).sign() == 0) continue;
    of_basic += numerator_over(program.cost(j).impl().value, common) * value;
  }
  return of_nonbasic + cpp_rational(of_basic, Integer(common * point.denominator));
}

/// Whether any multiple of `change` keeps all ranges and lowers the objective.
bool is_unbounded_ray(const LinearProgram& program, const Point& change) {
  const auto keeps = [&](const Range& range, int variable) {
    const int sign = change.sign(variable);
    return sign == 0 || (sign > 0 ? !range.upper : !range.lower);
  };
  for (ColIndex j; j.value() < program.columns(); ++j) {
    if (!keeps(program.range(j), j.value())) return false;
  }
  for (RowIndex i; i.value() < program.rows(); ++i) {
    if (!keeps(program.range(i), program.columns() + i.value())) return false;
  }
  return objective(program, change) < 0;
}

void raise(std::optional<Rational>& bound, const std::optional<Rational>& other) {
  if (other && (!bound || *bound < *other)) bound = other;
}

void certify_optimal(const Simplex& simplex, const ExactBasis& basis, const SafeBound& safe,
                     Certificate& out) {
  if (const auto duals = basis.duals()) out.bound = safe.lower_bound(*duals);
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
  if (safe.proves_infeasible(*row)) return true;
  for (Integer& value : row->numerators) value = -value;
  return safe.proves_infeasible(*row);
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
  if (status == SimplexStatus::optimal) {
    certify_optimal(simplex, ExactBasis(program, simplex.basis()), safe, out);
    if (out.is_proved) return out;
  }
  const std::vector<double> multipliers = simplex.multipliers();
  raise(out.bound, safe.lower_bound(std::span<const double>(multipliers)));
  return out;
}

}  // namespace pimbb::lp
