// Rows in their simplest form.
#include "dram_pim/milp/model.hpp"

#include <algorithm>

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

}  // namespace

void add(Sum& sum, const Sum& more, Int128 factor) {
  for (const Term& term : more) sum.push_back({term.column, term.coefficient * factor});
}

Sum complement(const Sum& sum) {
  Sum result = certainty();
  add(result, sum, -1);
  return result;
}

Column Model::column(Variable variable) {
  columns_.push_back(std::move(variable));
  return static_cast<Column>(columns_.size() - 1);
}

void Model::row(std::string subject, Sum terms, Sense sense, Int128 bound) {
  tidy(terms);
  if (terms.empty()) {
    if (holds(0, sense, bound)) return;
    terms = certainty();
    sense = Sense::equal;
    bound = 0;
  }
  Int128 divisor = bound;
  for (const Term& term : terms) divisor = gcd(divisor, term.coefficient);
  for (Term& term : terms) term.coefficient /= divisor;
  rows_.push_back({std::move(subject), std::move(terms), sense, bound / divisor});
}

void Model::minimise(Sum objective, Rational scale) {
  tidy(objective);
  objective_ = std::move(objective);
  scale_ = std::move(scale);
}

}  // namespace pimbb::dram_pim::milp
