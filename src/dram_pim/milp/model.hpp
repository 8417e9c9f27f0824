// A mixed-integer linear program: columns, rows, one objective. Nothing of mappings in it.
//
//     minimise  sum c[k] x[k]   over   x >= 0,   some x binary,   rows  sum a[k] x[k]  <=, =, >=  b
//
// All numbers are integers, so what a writer prints is what was meant. A row with fractions is
// multiplied by their common denominator before it comes here, and divided by the greatest common
// divisor of its numbers when it is added: small coefficients are what solvers in floating point
// like best. A constant inside a sum is a multiple of the column `one`, which is fixed at 1; so a
// sum can stand for "the constant 1", "a decision" or "not a decision" alike.
#pragma once

#include <string>
#include <vector>

#include "exact/int128.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::dram_pim::milp {

enum class Column : std::uint32_t { one = 0 };

struct Term {
  Column column;
  Int128 coefficient;
  friend bool operator==(const Term&, const Term&) = default;
};
using Sum = std::vector<Term>;

/// Adds `factor` times `more` to `sum`.
void add(Sum& sum, const Sum& more, Int128 factor = 1);
/// 1 - sum, for a decision.
Sum complement(const Sum& sum);
/// The constant 1.
inline Sum certainty() { return {{Column::one, 1}}; }

enum class Sense : std::uint8_t { at_most, equal, at_least };

class Model {
 public:
  struct Variable {
    std::string name;
    bool binary;
  };
  struct Row {
    std::string subject;  ///< what the row is about; several rows may share it
    Sum terms;            ///< ascending columns, none twice, no zeros
    Sense sense;
    Int128 bound;
  };

  Model() : columns_{{"one", false}} {}

  Column binary(std::string name) { return column({std::move(name), true}); }
  Column continuous(std::string name) { return column({std::move(name), false}); }
  /// Adds a row. One without terms is left out if it holds, and made impossible if it does not.
  void row(std::string subject, Sum terms, Sense sense, Int128 bound);
  /// The objective; its value is `scale` times the cost in its unit.
  void minimise(Sum objective, Rational scale);

  [[nodiscard]] const std::vector<Variable>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const Sum& objective() const { return objective_; }
  [[nodiscard]] const Rational& scale() const { return scale_; }
  [[nodiscard]] const std::string& name(Column c) const {
    return columns_[static_cast<std::size_t>(c)].name;
  }

  std::vector<std::string> remarks;  ///< one line each, for the head of the file

 private:
  Column column(Variable variable);

  std::vector<Variable> columns_;
  std::vector<Row> rows_;
  Sum objective_;
  Rational scale_ = 1;
};

}  // namespace pimbb::dram_pim::milp
