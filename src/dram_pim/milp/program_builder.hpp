// Building a mixed-integer linear program from sums of columns. Nothing of mappings in it.
//
//     minimise  sum c[k] x[k]   over   x >= 0,   some x binary,   rows  sum a[k] x[k]  <=, =, >=  b
//
// The result is an lp::MixedIntegerProgram, whose numbers are all integers here: a row with
// fractions is multiplied by their common denominator before it is added, and divided by the
// greatest common divisor of its numbers: small coefficients are what solvers in floating point
// like best. A constant inside a sum is a multiple of the column `one`, which is fixed at 1; so a
// sum can stand for "the constant 1", "a decision" or "not a decision" alike.
#pragma once

#include <string>
#include <vector>

#include "exact/int128.hpp"
#include "lp/format/mixed_integer_program.hpp"

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

/// A finished program. Its objective is `scale` times the cost in the unit of the goal.
struct MappingProgram {
  lp::MixedIntegerProgram program;
  Rational scale = 1;
};

class ProgramBuilder {
 public:
  ProgramBuilder();

  Column binary(std::string name);
  Column continuous(std::string name);
  /// The number of columns so far.
  [[nodiscard]] int columns() const { return result_.program.relaxation.columns(); }

  /// Adds a row named "subject.r12". One without terms is left out if it holds, and made impossible
  /// if it does not.
  void row(const std::string& subject, Sum terms, Sense sense, Int128 bound);
  void minimise(Sum objective, Rational scale);
  /// A comment for the head of the file.
  void remark(std::string text) { result_.program.remarks.push_back(std::move(text)); }

  [[nodiscard]] const MappingProgram& result() const& { return result_; }
  [[nodiscard]] MappingProgram result() && { return std::move(result_); }

 private:
  MappingProgram result_;
};

}  // namespace pimbb::dram_pim::milp
