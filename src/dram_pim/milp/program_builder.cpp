// Rows in their simplest form.
#include "dram_pim/milp/program_builder.hpp"

#include <algorithm>

#include "exact/rational_impl.hpp"

namespace pimbb::dram_pim::milp {
namespace {

Int128 gcd(Int128 a, Int128 b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Ascending columns, equal ones added up, zeros left out.
void tidy(Sum& sum) {
  std::sort(sum.begin(), sum.end(),
            [](const Term& a, const Term& b) { return a.column < b.column; });
  std::size_t kept = 0;
  for (const Term& term : sum) {
    if (kept > 0 && sum[kept - 1].column == term.column) {
      sum[kept - 1].coefficient += term.coefficient;
    } else {
      sum[kept++] = term;
    }
  }
  sum.resize(kept);
  std::erase_if(sum, [](const Term& term) { return term.coefficient == 0; });
}

bool holds(Int128 value, Sense sense, Int128 bound) {
  if (sense == Sense::equal) return value == bound;
  return sense == Sense::at_most ? value <= bound : value >= bound;
}

lp::Range activity(Sense sense, const Rational& bound) {
  switch (sense) {
    case Sense::at_most: return {std::nullopt, bound};
    case Sense::equal: return {bound, bound};
    default: return {bound, std::nullopt};
  }
}

lp::ColIndex index_of(Column column) { return lp::ColIndex(static_cast<int>(column)); }

}  // namespace

void add(Sum& sum, const Sum& more, Int128 factor) {
  for (const Term& term : more) sum.push_back({term.column, term.coefficient * factor});
}

Sum complement(const Sum& sum) {
  Sum result = certainty();
  add(result, sum, -1);
  return result;
}

ProgramBuilder::ProgramBuilder() {
  result_.program.name = "pimbb";
  result_.program.objective_name = "objective";
  result_.program.relaxation.add_column(Rational(), {Rational(1), Rational(1)}, "one");
}

Column ProgramBuilder::binary(std::string name) {
  const lp::ColIndex column = result_.program.relaxation.add_column(
      Rational(), {Rational(0), Rational(1)}, std::move(name));
  result_.program.mark_integer(column);
  return static_cast<Column>(column.value());
}

Column ProgramBuilder::continuous(std::string name) {
  return static_cast<Column>(
      result_.program.relaxation
          .add_column(Rational(), {Rational(0), std::nullopt}, std::move(name))
          .value());
}

void ProgramBuilder::row(const std::string& subject, Sum terms, Sense sense, Int128 bound) {
  tidy(terms);
  if (terms.empty()) {
    if (holds(0, sense, bound)) return;
    terms = certainty();
    sense = Sense::equal;
    bound = 0;
  }
  Int128 divisor = bound;
  for (const Term& term : terms) divisor = gcd(divisor, term.coefficient);
  lp::LinearProgram& program = result_.program.relaxation;
  const lp::RowIndex row = program.add_row(activity(sense, to_rational(bound / divisor)),
                                           subject + ".r" + std::to_string(program.rows()));
  for (const Term& term : terms) {
    program.add_entry(row, index_of(term.column), to_rational(term.coefficient / divisor));
  }
}

void ProgramBuilder::minimise(Sum objective, Rational scale) {
  tidy(objective);
  for (const Term& term : objective) {
    result_.program.relaxation.set_cost(index_of(term.column), to_rational(term.coefficient));
  }
  result_.scale = std::move(scale);
}

}  // namespace pimbb::dram_pim::milp
