// Building a mixed-integer linear program from sums of columns. Nothing of mappings in it.
//
//     minimise  sum c[k] x[k]   over   x >= 0,   some x binary,   rows  sum a[k] x[k]  <=, =, >=  b
//
// While it is built, all its numbers are integers; a constant inside a sum is a multiple of
// Column::one, which is no column of the result. So a sum can stand for "the constant 1", "a
// decision" or "not a decision" alike. Every column is 0 or 1 in every integral solution, but for
// the costs that the objective adds up.
//
// finished() makes the result, an lp::MixedIntegerProgram, as solvers in floating point like it:
//   - columns that no solution within the known values of the costs can take are left out
//     (reduce.hpp), which removes the largest coefficients;
//   - constants are on the right-hand side;
//   - costs are expressed in a power of two of their unit, and every row is divided by the greatest
//     common divisor of its numbers, then by a power of two: no coefficient is larger than 2^10,
//     unless its numbers would need more than 28 digits, and each is still exact, in binary and in
//     decimal.
#pragma once

#include <optional>
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

struct DraftColumn {
  enum class Kind : std::uint8_t { one, binary, joint, cost };
  std::string name;
  Kind kind = Kind::joint;
  std::optional<Int128> most{};  ///< of a cost: no optimum has more
};

/// Columns ascending and distinct, no zeros; the constant is part of the bound.
struct DraftRow {
  std::string subject;
  Sum terms;
  Sense sense;
  Int128 bound;
};

/// A finished program. Its objective is `scale` times the cost in the unit of the goal.
struct MappingProgram {
  lp::MixedIntegerProgram program;
  Rational scale = 1;
};

class ProgramBuilder {
 public:
  Column binary(std::string name) { return column({std::move(name), DraftColumn::Kind::binary}); }
  /// 0 or 1 as soon as the binaries are.
  Column joint(std::string name) { return column({std::move(name), DraftColumn::Kind::joint}); }
  /// A non-negative cost, at most `most` in every optimum if that is known.
  Column cost(std::string name, std::optional<Int128> most) {
    return column({std::move(name), DraftColumn::Kind::cost, most});
  }
  /// The number of columns so far.
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }

  /// Adds a row named "subject.r12". One without terms is left out if it holds, and made impossible
  /// if it does not.
  void row(std::string subject, Sum terms, Sense sense, Int128 bound);
  /// The sum of costs, each with a weight; it is `scale` times what is to be minimised.
  void minimise(std::vector<std::pair<Column, Rational>> costs, Rational scale = 1) {
    costs_ = std::move(costs);
    scale_ = std::move(scale);
  }

  [[nodiscard]] MappingProgram finished() const;

 private:
  Column column(DraftColumn draft);

  std::vector<DraftColumn> columns_{{"", DraftColumn::Kind::one}};
  std::vector<DraftRow> rows_;
  std::vector<std::pair<Column, Rational>> costs_;
  Rational scale_ = 1;
};

}  // namespace pimbb::dram_pim::milp
