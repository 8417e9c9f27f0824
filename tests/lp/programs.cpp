// Building small and random linear programs.
#include "lp/programs.hpp"

#include <map>
#include <sstream>

namespace testkit {

using pimbb::Rational;
using namespace pimbb::lp;

Range range(const std::string& lower, const std::string& upper) {
  Range out;
  if (!lower.empty()) out.lower = Rational::parse(lower);
  if (!upper.empty()) out.upper = Rational::parse(upper);
  return out;
}

LinearProgram program(const std::string& costs, const std::vector<RowText>& rows) {
  LinearProgram out;
  std::istringstream cost_words(costs);
  for (std::string word; cost_words >> word;) {
    out.add_column(Rational::parse(word), {Rational(0), std::nullopt});
  }
  for (const RowText& text : rows) {
    const RowIndex row = out.add_row(range(text.lower, text.upper));
    std::istringstream words(text.coefficients);
    ColIndex column;
    for (std::string word; words >> word; ++column) {
      const Rational value = Rational::parse(word);
      if (value.sign() != 0) out.add_entry(row, column, value);
    }
  }
  return out;
}

LinearProgram dual(const LinearProgram& primal) {
  LinearProgram out;
  for (RowIndex i; i.value() < primal.rows(); ++i) {
    out.add_column(*primal.range(i).upper, {Rational(0), std::nullopt});
  }
  for (ColIndex j; j.value() < primal.columns(); ++j) {
    const RowIndex row = out.add_row({Rational(0) - primal.cost(j), std::nullopt});
    for (const Entry& entry : primal.entries(j)) {
      out.add_entry(row, ColIndex(entry.row.value()), entry.value);
    }
  }
  return out;
}

int Draw::next(int n) {
  state_ = state_ * 6364136223846793005U + 1442695040888963407U;
  return static_cast<int>((state_ >> 33U) % static_cast<std::uint64_t>(n));
}

/// Small integers and zeros on purpose: ties, degenerate vertices and fixed variables are common.
Range random_range(Draw& draw, bool bounded) {
  const std::int64_t lower = draw.next(9) - 4;
  const std::int64_t upper = lower + draw.next(6);
  const int kind = draw.next(12);
  if (bounded || kind < 3) return {Rational(lower), Rational(upper)};
  if (kind < 7) return {Rational(0), std::nullopt};
  if (kind < 9) return {Rational(lower), std::nullopt};
  if (kind < 11) return {std::nullopt, Rational(upper)};
  return {};
}

namespace {

/// Some value of a range, near its ends.
Rational some_value(Draw& draw, const Range& range) {
  if (range.lower && range.upper) return draw.next(2) == 0 ? *range.lower : *range.upper;
  const Rational step(draw.next(3));
  if (range.lower) return *range.lower + step;
  return range.upper ? *range.upper - step : step;
}

/// Moves the range of each row such that it holds at the point, often just so.
void make_feasible(Draw& draw, LinearProgram& program) {
  std::vector<Rational> activity(static_cast<std::size_t>(program.rows()));
  for (ColIndex j; j.value() < program.columns(); ++j) {
    const Rational value = some_value(draw, program.range(j));
    for (const Entry& entry : program.entries(j)) {
      activity[entry.row.value()] += entry.value * value;
    }
  }
  for (RowIndex i; i.value() < program.rows(); ++i) {
    Range range = program.range(i);
    const Rational slack(draw.next(3));
    if (range.lower && range.upper) *range.upper += activity[i.value()] - *range.lower;
    if (range.lower) range.lower = activity[i.value()] - slack;
    if (range.upper && !range.lower) range.upper = activity[i.value()] + slack;
    program.set_range(i, range);
  }
}

}  // namespace

Rational random_number(Draw& draw) {
  const std::int64_t numerator = draw.next(11) - 5;
  return {numerator, draw.next(4) == 0 ? 3 : 1};
}

LinearProgram random_program(Draw& draw, const RandomSize& size) {
  LinearProgram out;
  for (int i = 0; i < size.rows; ++i) out.add_row(random_range(draw, false));
  for (int j = 0; j < size.columns; ++j) {
    const ColIndex column =
        out.add_column(Rational(draw.next(9) - 3), random_range(draw, size.bounded));
    for (int i = 0; i < size.rows; ++i) {
      if (draw.next(size.one_entry_in) != 0) continue;
      const std::int64_t numerator = draw.next(11) - 5;
      const std::int64_t denominator = size.fractions && draw.next(4) == 0 ? 3 : 1;
      if (numerator != 0) out.add_entry(RowIndex(i), column, Rational(numerator, denominator));
    }
  }
  if (size.feasible) make_feasible(draw, out);
  return out;
}

namespace {

struct NamedColumn {
  Rational cost;
  Range range;
  bool is_integer = false;
  std::map<int, Rational> entries;  // by row, without zeros
};

std::map<std::string, NamedColumn> columns_by_name(const MixedIntegerProgram& program) {
  std::map<std::string, NamedColumn> columns;
  const LinearProgram& relaxation = program.relaxation;
  for (ColIndex j; j.value() < relaxation.columns(); ++j) {
    NamedColumn& column = columns[relaxation.name(j)];
    column = {relaxation.cost(j), relaxation.range(j), program.is_integer(j), {}};
    for (const Entry& entry : relaxation.entries(j)) {
      if (entry.value.sign() != 0) column.entries[entry.row.value()] = entry.value;
    }
  }
  return columns;
}

bool same_range(const Range& a, const Range& b) { return a.lower == b.lower && a.upper == b.upper; }

std::string row_difference(const LinearProgram& a, const LinearProgram& b) {
  if (a.rows() != b.rows()) return "number of rows";
  for (RowIndex i; i.value() < a.rows(); ++i) {
    if (a.name(i) != b.name(i)) return "names of row " + a.name(i) + ", " + b.name(i);
    if (!same_range(a.range(i), b.range(i))) return "range of row " + a.name(i);
  }
  return "";
}

}  // namespace

std::string difference(const MixedIntegerProgram& a, const MixedIntegerProgram& b) {
  if (a.name != b.name) return "name";
  if (a.objective_name != b.objective_name) return "name of the objective";
  if (a.maximise != b.maximise) return "sense";
  if (a.constant != b.constant) return "constant";
  if (const std::string rows = row_difference(a.relaxation, b.relaxation); !rows.empty()) {
    return rows;
  }
  const auto of_a = columns_by_name(a);
  const auto of_b = columns_by_name(b);
  if (a.relaxation.columns() != b.relaxation.columns()) return "number of columns";
  for (const auto& [name, column] : of_a) {
    const auto other = of_b.find(name);
    if (other == of_b.end()) return "column " + name;
    if (column.cost != other->second.cost) return "cost of column " + name;
    if (!same_range(column.range, other->second.range)) return "range of column " + name;
    if (column.is_integer != other->second.is_integer) return "integer mark of column " + name;
    if (column.entries != other->second.entries) return "entries of column " + name;
  }
  return "";
}

}  // namespace testkit
