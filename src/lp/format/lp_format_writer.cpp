// Writing CPLEX's LP format, row by row.
#include <algorithm>

#include "lp/format/lp_format_lexer.hpp"
#include "lp/format/writers.hpp"

namespace pimbb::lp {
namespace {

constexpr std::size_t kLongLine = 100;  // characters, from which on a sum goes on in a new line

class LpWriter {
 public:
  explicit LpWriter(const MixedIntegerProgram& program)
      : program_(program), relaxation_(program.relaxation) {}

  std::string write();

 private:
  struct Term {
    ColIndex column;
    const Rational* factor;
  };

  void check_all_names() const;
  void term(ColIndex column, const Rational& factor);
  void wrap();
  void objective();
  void rows();
  void row(RowIndex i, const std::vector<Term>& terms);
  void bounds();
  void bounds_of(ColIndex j);
  void declare(const char* section, bool binary);

  const MixedIntegerProgram& program_;
  const LinearProgram& relaxation_;
  TextBuffer out_;
  std::size_t line_begin_ = 0;
};

void LpWriter::check_all_names() const {
  std::vector<std::string_view> rows;
  if (!program_.objective_name.empty()) rows.push_back(program_.objective_name);
  for (RowIndex i; i.value() < relaxation_.rows(); ++i) {
    if (!relaxation_.name(i).empty()) rows.push_back(relaxation_.name(i));
  }
  check_names(std::move(rows), is_lp_name);
  std::vector<std::string_view> columns;
  for (ColIndex j; j.value() < relaxation_.columns(); ++j) columns.push_back(relaxation_.name(j));
  check_names(std::move(columns), is_lp_name);
}

/// Solvers limit the length of a line.
void LpWriter::wrap() {
  if (out_.size() - line_begin_ <= kLongLine) return;
  print(out_, "\n ");
  line_begin_ = out_.size();
}

void LpWriter::term(ColIndex column, const Rational& factor) {
  wrap();
  const bool negative = factor.sign() < 0;
  print(out_, " {} {} {}", negative ? '-' : '+',
        decimal_text(negative ? Rational() - factor : factor), relaxation_.name(column));
}

/// A column exists by being used: those that occur nowhere else have the factor 0 here. There is at
/// least one term, as far as there are columns.
void LpWriter::objective() {
  print(out_, "{}\n", program_.maximise ? "Maximize" : "Minimize");
  if (!program_.objective_name.empty()) print(out_, " {}:", program_.objective_name);
  line_begin_ = out_.size();
  std::vector<ColIndex> unused;
  bool is_empty = true;
  for (ColIndex j; j.value() < relaxation_.columns(); ++j) {
    const bool has_cost = relaxation_.cost(j).sign() != 0;
    if (has_cost) term(j, program_.cost(j));
    is_empty = is_empty && !has_cost;
    const auto is_used = [](const Entry& entry) { return entry.value.sign() != 0; };
    if (!has_cost && std::ranges::none_of(relaxation_.entries(j), is_used)) unused.push_back(j);
  }
  for (const ColIndex j : unused) term(j, Rational());
  if (is_empty && unused.empty() && relaxation_.columns() > 0) term(ColIndex(0), Rational());
  if (program_.constant.sign() != 0) {
    const bool negative = program_.constant.sign() < 0;
    print(out_, " {} {}", negative ? '-' : '+',
          decimal_text(negative ? Rational() - program_.constant : program_.constant));
  }
  print(out_, "\n");
}

void LpWriter::row(RowIndex i, const std::vector<Term>& terms) {
  const auto& [lower, upper] = relaxation_.range(i);
  const bool is_equation = lower && upper && *lower == *upper;
  if (!relaxation_.name(i).empty()) print(out_, " {}:", relaxation_.name(i));
  if (lower && upper && !is_equation) print(out_, " {} <=", bound_text(*lower));
  line_begin_ = out_.size();
  for (const Term& t : terms) term(t.column, *t.factor);
  if (terms.empty()) term(ColIndex(0), Rational());
  if (is_equation) {
    print(out_, " = {}\n", bound_text(*lower));
  } else if (upper) {
    print(out_, " <= {}\n", bound_text(*upper));
  } else {
    print(out_, " >= {}\n", lower ? bound_text(*lower) : "-inf");
  }
}

void LpWriter::rows() {
  std::vector<std::vector<Term>> terms(static_cast<std::size_t>(relaxation_.rows()));
  for (ColIndex j; j.value() < relaxation_.columns(); ++j) {
    for (const Entry& entry : relaxation_.entries(j)) {
      if (entry.value.sign() != 0) terms[entry.row.value()].push_back({j, &entry.value});
    }
  }
  print(out_, "Subject To\n");
  for (RowIndex i; i.value() < relaxation_.rows(); ++i) row(i, terms[i.value()]);
}

/// The default is 0 .. infinity; binaries have a section of their own.
void LpWriter::bounds_of(ColIndex j) {
  const std::string& name = relaxation_.name(j);
  const auto& [lower, upper] = relaxation_.range(j);
  if (program_.is_binary(j)) return;
  if (!lower && !upper) return print(out_, " {} free\n", name);
  if (!lower) return print(out_, " -inf <= {} <= {}\n", name, bound_text(*upper));
  if (!upper) {
    if (lower->sign() != 0) print(out_, " {} >= {}\n", name, bound_text(*lower));
    return;
  }
  if (*lower == *upper) return print(out_, " {} = {}\n", name, bound_text(*lower));
  print(out_, " {} <= {} <= {}\n", bound_text(*lower), name, bound_text(*upper));
}

void LpWriter::bounds() {
  print(out_, "Bounds\n");
  for (ColIndex j; j.value() < relaxation_.columns(); ++j) bounds_of(j);
}

void LpWriter::declare(const char* section, bool binary) {
  bool is_first = true;
  for (ColIndex j; j.value() < relaxation_.columns(); ++j) {
    if (!program_.is_integer(j) || program_.is_binary(j) != binary) continue;
    if (is_first) print(out_, "{}\n", section);
    is_first = false;
    print(out_, " {}\n", relaxation_.name(j));
  }
}

std::string LpWriter::write() {
  check_all_names();
  print_remarks(out_, program_, "\\");
  objective();
  rows();
  bounds();
  declare("General", false);
  declare("Binary", true);
  print(out_, "End\n");
  return fmt::to_string(out_);
}

}  // namespace

std::string cplex_lp(const MixedIntegerProgram& program) { return LpWriter(program).write(); }

}  // namespace pimbb::lp
