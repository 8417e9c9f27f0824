// Rows in their simplest form, and their numbers in a range that suits floating point.
#include "dram_pim/milp/program_builder.hpp"

#include <algorithm>

#include "dram_pim/milp/reduce.hpp"
#include "exact/rational_impl.hpp"

namespace pimbb::dram_pim::milp {
namespace {

constexpr int kCoefficientBits = 10;  // the largest coefficient of a row with larger ones
constexpr int kCostBits = 20;         // a known value in its power of two
constexpr int kMostDigits = 28;       // of a number in decimal: cbc reads 30

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

/// The least k >= 0 with value <= 2^(k + bits).
int shift_to(Int128 value, int bits) {
  int shift = 0;
  while ((Int128{1} << (shift + bits)) < value) ++shift;
  return shift;
}

/// At least the digits of value / 2^shift in decimal: those of value * 5^shift.
int most_digits(Int128 value, int shift) {
  const int bits = shift_to(value, 0) + 1;
  return (bits * 30'103 + shift * 69'898) / 100'000 + 1;  // log10 of 2 and 5
}

/// The power of two by which a row with these numbers is divided.
int row_shift(Int128 largest_coefficient, Int128 largest_number) {
  int shift = shift_to(largest_coefficient, kCoefficientBits);
  while (shift > 0 && most_digits(largest_number, shift) > kMostDigits) --shift;
  return shift;
}

Int128 magnitude(Int128 value) { return value < 0 ? -value : value; }

Rational power_of_two(int exponent) { return to_rational(Int128{1} << exponent); }

/// Writes the draft as a program.
class Finish {
 public:
  Finish(const std::vector<DraftColumn>& columns, const std::vector<DraftRow>& rows)
      : drafts_(columns), never_(never_taken(columns, rows)), place_(columns.size()) {
    result_.program.name = "pimbb";
    result_.program.objective_name = "objective";
    for (const DraftColumn& draft : drafts_) {
      shift_.push_back(draft.most ? shift_to(*draft.most, kCostBits) : 0);
    }
    for (std::size_t k = 1; k < drafts_.size(); ++k) {
      if (!never_[k]) state_column(k);
    }
    for (const DraftRow& row : rows) state_row(row);
  }

  MappingProgram with(const std::vector<std::pair<Column, Rational>>& costs,
                      const Rational& scale) && {
    int least = costs.empty() ? 0 : shift(costs.front().first);
    for (const auto& [column, weight] : costs) least = std::min(least, shift(column));
    for (const auto& [column, weight] : costs) {
      program().set_cost(place(column), weight * power_of_two(shift(column) - least));
    }
    result_.scale = scale / power_of_two(least);
    return std::move(result_);
  }

 private:
  lp::LinearProgram& program() { return result_.program.relaxation; }
  [[nodiscard]] int shift(Column column) const { return shift_[static_cast<std::size_t>(column)]; }
  [[nodiscard]] lp::ColIndex place(Column column) const {
    return place_[static_cast<std::size_t>(column)];
  }

  /// That a joint column is at most 1 follows from its rows, but is stated: HiGHS 1.15 calls some
  /// programs infeasible without it.
  void state_column(std::size_t k) {
    const DraftColumn::Kind kind = drafts_[k].kind;
    const bool is_cost = kind == DraftColumn::Kind::cost;
    const lp::Bound upper = is_cost ? std::nullopt : lp::Bound(Rational(1));
    place_[k] = program().add_column(Rational(), {Rational(0), upper}, drafts_[k].name);
    if (kind == DraftColumn::Kind::binary) result_.program.mark_integer(place_[k]);
  }

  void state_row(const DraftRow& draft) {
    Sum terms;
    for (const Term& term : draft.terms) {
      if (never_[static_cast<std::size_t>(term.column)]) continue;
      terms.push_back({term.column, term.coefficient * (Int128{1} << shift(term.column))});
    }
    if (terms.empty()) {
      if (!holds(0, draft.sense, draft.bound)) state_impossible(draft.subject);
      return;
    }
    Int128 divisor = draft.bound;
    Int128 largest = 0;
    for (const Term& term : terms) divisor = gcd(divisor, term.coefficient);
    for (Term& term : terms) {
      term.coefficient /= divisor;
      largest = std::max(largest, magnitude(term.coefficient));
    }
    const Int128 number = std::max(largest, magnitude(draft.bound / divisor));
    const Rational unit = power_of_two(row_shift(largest, number));
    const lp::RowIndex row =
        add_row(draft.subject, draft.sense, to_rational(draft.bound / divisor) / unit);
    for (const Term& term : terms) {
      program().add_entry(row, place(term.column), to_rational(term.coefficient) / unit);
    }
  }

  lp::RowIndex add_row(const std::string& subject, Sense sense, const Rational& bound) {
    return program().add_row(activity(sense, bound),
                             subject + ".r" + std::to_string(program().rows()));
  }

  /// impossible = 1 for a column that is 0: some readers refuse rows without terms.
  void state_impossible(const std::string& subject) {
    const lp::RowIndex row = add_row(subject, Sense::equal, Rational(1));
    const auto column = program().add_column(Rational(), {Rational(0), Rational(0)},
                                             "impossible_" + std::to_string(row.value()));
    program().add_entry(row, column, Rational(1));
  }

  const std::vector<DraftColumn>& drafts_;
  std::vector<bool> never_;
  std::vector<lp::ColIndex> place_;
  std::vector<int> shift_;
  MappingProgram result_;
};

}  // namespace

void add(Sum& sum, const Sum& more, Int128 factor) {
  for (const Term& term : more) sum.push_back({term.column, term.coefficient * factor});
}

Sum complement(const Sum& sum) {
  Sum result = certainty();
  add(result, sum, -1);
  return result;
}

Column ProgramBuilder::column(DraftColumn draft) {
  columns_.push_back(std::move(draft));
  return static_cast<Column>(columns_.size() - 1);
}

void ProgramBuilder::row(std::string subject, Sum terms, Sense sense, Int128 bound) {
  tidy(terms);
  if (!terms.empty() && terms.front().column == Column::one) {
    bound -= terms.front().coefficient;
    terms.erase(terms.begin());
  }
  rows_.push_back({std::move(subject), std::move(terms), sense, bound});
}

MappingProgram ProgramBuilder::finished() const {
  return Finish(columns_, rows_).with(costs_, scale_);
}

}  // namespace pimbb::dram_pim::milp
