// Standard form, then Bland's rule on a tableau.
#include "lp/exact_simplex.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>

#include "exact/rational_impl.hpp"

namespace testkit {
namespace {

using boost::multiprecision::cpp_rational;
using pimbb::Rational;
using namespace pimbb::lp;

using Row = std::vector<cpp_rational>;

cpp_rational number(const Rational& value) { return value.impl().value; }

/// minimise cost z over rows: coefficients z = right, z >= 0.
struct StandardForm {
  std::vector<Row> rows;  // the right hand side is kept apart
  Row right;
  Row cost;
  cpp_rational constant = 0;

  std::size_t add_variable() {
    for (Row& row : rows) row.emplace_back(0);
    cost.emplace_back(0);
    return cost.size() - 1;
  }
  Row& add_row(cpp_rational rhs) {
    rows.emplace_back(cost.size(), cpp_rational(0));
    right.push_back(std::move(rhs));
    return rows.back();
  }
};

/// x = offset + sum of factor * z
struct Substitution {
  cpp_rational offset = 0;
  std::vector<std::pair<std::size_t, int>> parts;
};

void add_inequality(StandardForm& form, const Row& coefficients, const cpp_rational& rhs,
                    int slack_sign) {
  const std::size_t slack = form.add_variable();
  Row& row = form.add_row(rhs);
  std::copy(coefficients.begin(), coefficients.end(), row.begin());
  row[slack] = slack_sign;
}

Substitution substitute(StandardForm& form, const Range& range) {
  Substitution s;
  if (range.lower) {
    s.offset = number(*range.lower);
    s.parts = {{form.add_variable(), 1}};
  } else if (range.upper) {
    s.offset = number(*range.upper);
    s.parts = {{form.add_variable(), -1}};
  } else {
    s.parts = {{form.add_variable(), 1}, {form.add_variable(), -1}};
  }
  return s;
}

StandardForm standard_form(const LinearProgram& program) {
  StandardForm form;
  std::vector<Substitution> columns;
  for (ColIndex j; j.value() < program.columns(); ++j) {
    columns.push_back(substitute(form, program.range(j)));
    const cpp_rational cost = number(program.cost(j));
    form.constant += cost * columns.back().offset;
    for (const auto& [z, factor] : columns.back().parts) form.cost[z] = cost * factor;
  }
  const std::size_t size = form.cost.size();
  for (ColIndex j; j.value() < program.columns(); ++j) {
    const Range& range = program.range(j);
    if (!range.lower || !range.upper) continue;
    Row unit(size);
    unit[columns[j.value()].parts[0].first] = 1;
    add_inequality(form, unit, number(*range.upper) - number(*range.lower), 1);
  }
  for (RowIndex i; i.value() < program.rows(); ++i) {
    Row coefficients(size);
    cpp_rational offset = 0;
    for (ColIndex j; j.value() < program.columns(); ++j) {
      for (const Entry& entry : program.entries(j)) {
        if (entry.row != i) continue;
        offset += number(entry.value) * columns[j.value()].offset;
        for (const auto& [z, factor] : columns[j.value()].parts) {
          coefficients[z] += number(entry.value) * factor;
        }
      }
    }
    const Range& range = program.range(i);
    if (range.lower) add_inequality(form, coefficients, number(*range.lower) - offset, -1);
    if (range.upper) add_inequality(form, coefficients, number(*range.upper) - offset, 1);
  }
  return form;
}

class Tableau {
 public:
  explicit Tableau(StandardForm form) : form_(std::move(form)) {
    structural_ = form_.cost.size();
    for (std::size_t i = 0; i < form_.rows.size(); ++i) {
      if (form_.right[i] < 0) {
        form_.right[i] = -form_.right[i];
        for (cpp_rational& a : form_.rows[i]) a = -a;
      }
    }
    for (std::size_t i = 0; i < form_.rows.size(); ++i) {
      const std::size_t artificial = form_.add_variable();
      form_.rows[i][artificial] = 1;
      basic_.push_back(artificial);
    }
  }

  /// Phase one; whether the artificial variables can all be zero.
  bool make_feasible() {
    Row cost(form_.cost.size());
    for (std::size_t k = structural_; k < cost.size(); ++k) cost[k] = 1;
    minimise(cost, cost.size());
    cpp_rational sum = 0;
    for (std::size_t i = 0; i < basic_.size(); ++i) {
      if (basic_[i] >= structural_) sum += form_.right[i];
    }
    if (sum != 0) return false;
    // Artificial ones that are still basic, at zero, leave or keep a row of zeros.
    for (std::size_t i = 0; i < basic_.size(); ++i) {
      for (std::size_t k = 0; k < structural_ && basic_[i] >= structural_; ++k) {
        if (form_.rows[i][k] != 0) pivot(i, k);
      }
    }
    return true;
  }

  /// Phase two; nothing if unbounded.
  std::optional<cpp_rational> optimum() {
    if (!minimise(form_.cost, structural_)) return std::nullopt;
    cpp_rational sum = form_.constant;
    for (std::size_t i = 0; i < basic_.size(); ++i) sum += form_.cost[basic_[i]] * form_.right[i];
    return sum;
  }

 private:
  bool minimise(const Row& cost, std::size_t allowed) {
    while (true) {
      const auto entering = find_entering(cost, allowed);
      if (!entering) return true;
      const auto row = find_leaving(*entering);
      if (!row) return false;
      pivot(*row, *entering);
    }
  }

  [[nodiscard]] std::optional<std::size_t> find_entering(const Row& cost,
                                                         std::size_t allowed) const {
    for (std::size_t k = 0; k < allowed; ++k) {
      cpp_rational reduced = cost[k];
      for (std::size_t i = 0; i < basic_.size(); ++i) reduced -= cost[basic_[i]] * form_.rows[i][k];
      if (reduced < 0) return k;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::size_t> find_leaving(std::size_t entering) const {
    std::optional<std::size_t> best;
    cpp_rational least;
    for (std::size_t i = 0; i < basic_.size(); ++i) {
      if (form_.rows[i][entering] <= 0) continue;
      const cpp_rational ratio = form_.right[i] / form_.rows[i][entering];
      if (!best || ratio < least || (ratio == least && basic_[i] < basic_[*best])) {
        best = i;
        least = ratio;
      }
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t entering) {
    const cpp_rational divisor = form_.rows[row][entering];
    for (cpp_rational& a : form_.rows[row]) a /= divisor;
    form_.right[row] /= divisor;
    for (std::size_t i = 0; i < basic_.size(); ++i) {
      const cpp_rational factor = form_.rows[i][entering];
      if (i == row || factor == 0) continue;
      for (std::size_t k = 0; k < form_.cost.size(); ++k) {
        if (form_.rows[row][k] != 0) form_.rows[i][k] -= factor * form_.rows[row][k];
      }
      form_.right[i] -= factor * form_.right[row];
    }
    basic_[row] = entering;
  }

  StandardForm form_;
  std::size_t structural_ = 0;
  std::vector<std::size_t> basic_;
};

bool has_empty_range(const LinearProgram& program) {
  for (ColIndex j; j.value() < program.columns(); ++j) {
    if (program.range(j).is_empty()) return true;
  }
  return false;  // an empty range of a row is found by the tableau
}

}  // namespace

ExactResult solve_exactly(const LinearProgram& program) {
  if (has_empty_range(program)) return {SimplexStatus::infeasible, {}};
  Tableau tableau(standard_form(program));
  if (!tableau.make_feasible()) return {SimplexStatus::infeasible, {}};
  const auto optimum = tableau.optimum();
  if (!optimum) return {SimplexStatus::unbounded, {}};
  return {SimplexStatus::optimal, pimbb::make_rational(*optimum)};
}

}  // namespace testkit
