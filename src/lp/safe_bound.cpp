// The bound of Neumaier and Shcherbina over integers.
#include "lp/safe_bound.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <stdexcept>

#include "exact/rational_impl.hpp"
#include "lp/exact_vector.hpp"

namespace pimbb::lp {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

constexpr int kBits = 62;  // of the largest multiplier

ExactVector rounded(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  }
  ExactVector out;
  out.numerators.resize(values.size());
  if (largest == 0) return out;
  const int exponent = kBits - 1 - std::ilogb(largest);  // of the unit 2^-exponent
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) {
      out.numerators[i] = std::llround(std::ldexp(values[i], exponent));
    }
  }
  if (exponent >= 0) {
    out.denominator <<= static_cast<unsigned>(exponent);
  } else {
    for (cpp_int& n : out.numerators) n <<= static_cast<unsigned>(-exponent);
  }
  return out;
}

ExactVector exactly(std::span<const Rational> values) {
  ExactVector out;
  for (const Rational& value : values) {
    out.denominator = lcm(out.denominator, denominator(value.impl().value));
  }
  for (const Rational& value : values) {
    const cpp_rational& v = value.impl().value;
    out.numerators.push_back(numerator(v) * (out.denominator / denominator(v)));
  }
  return out;
}

void check_size(std::size_t found, int rows) {
  if (found != static_cast<std::size_t>(rows)) {
    throw std::invalid_argument("multipliers of another linear program");
  }
}

/// A sum of products n / d with few different, small denominators d.
class FractionSum {
 public:
  void add(const cpp_int& numerator, const cpp_int& denominator) {
    by_denominator_[denominator] += numerator;
  }
  /// The sum, divided by `divisor`.
  [[nodiscard]] cpp_rational divided_by(const cpp_int& divisor) const {
    cpp_int common = 1;
    for (const auto& [denominator, numerator] : by_denominator_) common = lcm(common, denominator);
    cpp_int sum = 0;
    for (const auto& [denominator, numerator] : by_denominator_) {
      sum += numerator * (common / denominator);
    }
    return {sum, cpp_int(common * divisor)};
  }

 private:
  std::map<cpp_int, cpp_int> by_denominator_;
};

/// The end of a range where a variable of this reduced cost is cheapest; nothing if there is none.
const Rational* cheapest(const Range& range, int sign) {
  const Bound& bound = sign > 0 ? range.lower : range.upper;
  return bound ? &*bound : nullptr;
}

}  // namespace

struct SafeBound::Integers {
  struct Term {
    int row;
    cpp_int value;
  };
  struct Column {
    cpp_int denominator = 1;  // cost and entries are multiplied by it
    cpp_int cost;
    std::vector<Term> entries;
  };
  std::vector<Column> columns;

  /// The sum in the header, with the costs or with zero costs.
  [[nodiscard]] std::optional<cpp_rational> bound(const LinearProgram& program, ExactVector y,
                                                  bool with_costs) const;
};

SafeBound::SafeBound(const LinearProgram& program) : program_(program) {
  auto integers = std::make_unique<Integers>();
  const auto scaled = [](const Rational& value, const cpp_int& by) {
    if (by == 1 && value.denominator()) return cpp_int(*value.in_units(1));
    const cpp_rational& v = value.impl().value;
    return cpp_int(numerator(v) * (by / denominator(v)));
  };
  for (ColIndex j; j.value() < program.columns(); ++j) {
    Integers::Column column;
    const auto take = [&](const Rational& value) {
      if (value.is_integer()) return;
      column.denominator = lcm(column.denominator, cpp_int(denominator(value.impl().value)));
    };
    take(program.cost(j));
    for (const Entry& entry : program.entries(j)) take(entry.value);
    column.entries.reserve(program.entries(j).size());
    column.cost = scaled(program.cost(j), column.denominator);
    for (const Entry& entry : program.entries(j)) {
      column.entries.push_back({entry.row.value(), scaled(entry.value, column.denominator)});
    }
    integers->columns.push_back(std::move(column));
  }
  integers_ = std::move(integers);
}

SafeBound::~SafeBound() = default;
SafeBound::SafeBound(SafeBound&&) noexcept = default;

std::optional<cpp_rational> SafeBound::Integers::bound(const LinearProgram& program, ExactVector y,
                                                       bool with_costs) const {
  assert(y.denominator > 0);
  FractionSum sum;  // times y.denominator
  for (RowIndex i; i.value() < program.rows(); ++i) {
    cpp_int& multiplier = y.numerators[i.value()];
    if (multiplier == 0) continue;
    if (const Rational* at = cheapest(program.range(i), multiplier.sign())) {
      if (at->sign() == 0) continue;
      const cpp_rational& value = at->impl().value;
      sum.add(numerator(value) * multiplier, denominator(value));
    } else {
      multiplier = 0;
    }
  }
  for (ColIndex j; j.value() < program.columns(); ++j) {
    const Column& column = columns[j.value()];
    cpp_int reduced = with_costs ? cpp_int(column.cost * y.denominator) : cpp_int(0);
    for (const Term& term : column.entries) {
      const cpp_int& multiplier = y.numerators[term.row];
      if (multiplier != 0) reduced -= term.value * multiplier;
    }
    if (reduced == 0) continue;
    const Rational* at = cheapest(program.range(j), reduced.sign());
    if (at == nullptr) return std::nullopt;
    if (at->sign() == 0) continue;
    const cpp_rational& value = at->impl().value;
    sum.add(numerator(value) * reduced, denominator(value) * column.denominator);
  }
  return sum.divided_by(y.denominator);
}

namespace {

std::optional<Rational> as_rational(std::optional<cpp_rational> value) {
  if (!value) return std::nullopt;
  return make_rational(std::move(*value));
}

bool has_empty_range(const LinearProgram& program) {
  for (RowIndex i; i.value() < program.rows(); ++i) {
    if (program.range(i).is_empty()) return true;
  }
  for (ColIndex j; j.value() < program.columns(); ++j) {
    if (program.range(j).is_empty()) return true;
  }
  return false;
}

bool is_positive(const std::optional<cpp_rational>& value) { return value && value->sign() > 0; }

}  // namespace

std::optional<Rational> SafeBound::lower_bound(std::span<const double> multipliers) const {
  check_size(multipliers.size(), program_.rows());
  return as_rational(integers_->bound(program_, rounded(multipliers), true));
}

std::optional<Rational> SafeBound::lower_bound(std::span<const Rational> multipliers) const {
  check_size(multipliers.size(), program_.rows());
  return as_rational(integers_->bound(program_, exactly(multipliers), true));
}

std::optional<Rational> SafeBound::lower_bound(const ExactVector& multipliers) const {
  check_size(multipliers.numerators.size(), program_.rows());
  return as_rational(integers_->bound(program_, multipliers, true));
}

bool SafeBound::proves_infeasible(const ExactVector& ray) const {
  check_size(ray.numerators.size(), program_.rows());
  return has_empty_range(program_) || is_positive(integers_->bound(program_, ray, false));
}

bool SafeBound::proves_infeasible(std::span<const double> ray) const {
  check_size(ray.size(), program_.rows());
  return has_empty_range(program_) || is_positive(integers_->bound(program_, rounded(ray), false));
}

bool SafeBound::proves_infeasible(std::span<const Rational> ray) const {
  check_size(ray.size(), program_.rows());
  return has_empty_range(program_) || is_positive(integers_->bound(program_, exactly(ray), false));
}

}  // namespace pimbb::lp
