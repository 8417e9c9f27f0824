// Writing free MPS, section by section.
#include <stdexcept>

#include "lp/format/mps_fields.hpp"
#include "lp/format/writers.hpp"

namespace pimbb::lp {
namespace {

constexpr const char* kDefaultObjective = "objective";

class MpsWriter {
 public:
  explicit MpsWriter(const MixedIntegerProgram& program)
      : program_(program),
        relaxation_(program.relaxation),
        objective_(program.objective_name.empty() ? kDefaultObjective : program.objective_name) {}

  std::string write();

 private:
  void check_all_names() const;
  void rows();
  void columns(bool integer);
  void column(ColIndex j);
  void right_hand_sides();
  void ranges();
  void bounds();
  void bounds_of(ColIndex j);

  const MixedIntegerProgram& program_;
  const LinearProgram& relaxation_;
  const std::string objective_;
  TextBuffer out_;
};

/// One field of free MPS, and not the one that makes its line a marker.
bool is_mps_name(std::string_view name) {
  const MpsFields fields = mps_free_fields(name);
  return fields.size() == 1 && fields.front() == name && name != "'MARKER'" &&
         name.find('\n') == std::string_view::npos;
}

/// A row with two different bounds is a G row with a range.
char row_type(const Range& range) {
  if (!range.lower) return range.upper ? 'L' : 'N';
  return range.upper && *range.upper == *range.lower ? 'E' : 'G';
}

bool has_width(const Range& range) {
  return range.lower && range.upper && *range.lower < *range.upper;
}

void MpsWriter::check_all_names() const {
  if (!program_.name.empty()) check_names({program_.name}, is_mps_name);
  std::vector<std::string_view> rows{objective_};
  for (RowIndex i; i.value() < relaxation_.rows(); ++i) rows.push_back(relaxation_.name(i));
  check_names(std::move(rows), is_mps_name);
  std::vector<std::string_view> columns;
  for (ColIndex j; j.value() < relaxation_.columns(); ++j) columns.push_back(relaxation_.name(j));
  check_names(std::move(columns), is_mps_name);
}

void MpsWriter::rows() {
  print(out_, "ROWS\n N {}\n", objective_);
  for (RowIndex i; i.value() < relaxation_.rows(); ++i) {
    if (relaxation_.range(i).is_empty()) {
      throw std::invalid_argument("MPS cannot state the empty range of row " + relaxation_.name(i));
    }
    print(out_, " {} {}\n", row_type(relaxation_.range(i)), relaxation_.name(i));
  }
}

/// A column without any entry is declared by a cost of 0.
void MpsWriter::column(ColIndex j) {
  const std::string& name = relaxation_.name(j);
  bool is_declared = false;
  for (const Entry& entry : relaxation_.entries(j)) {
    if (entry.value.sign() == 0) continue;
    print(out_, " {} {} {}\n", name, relaxation_.name(entry.row), decimal_text(entry.value));
    is_declared = true;
  }
  if (is_declared && relaxation_.cost(j).sign() == 0) return;
  print(out_, " {} {} {}\n", name, objective_, decimal_text(program_.cost(j)));
}

void MpsWriter::columns(bool integer) {
  for (ColIndex j; j.value() < relaxation_.columns(); ++j) {
    if (program_.is_integer(j) == integer) column(j);
  }
}

/// The constant of the objective is the negative of its right hand side.
void MpsWriter::right_hand_sides() {
  print(out_, "RHS\n");
  if (program_.constant.sign() != 0) {
    print(out_, " rhs {} {}\n", objective_, decimal_text(Rational() - program_.constant));
  }
  for (RowIndex i; i.value() < relaxation_.rows(); ++i) {
    const Range& range = relaxation_.range(i);
    const Bound& side = range.lower ? range.lower : range.upper;
    if (!side || side->sign() == 0) continue;
    print(out_, " rhs {} {}\n", relaxation_.name(i), bound_text(*side));
  }
}

void MpsWriter::ranges() {
  bool is_first = true;
  for (RowIndex i; i.value() < relaxation_.rows(); ++i) {
    const Range& range = relaxation_.range(i);
    if (!has_width(range)) continue;
    if (is_first) print(out_, "RANGES\n");
    is_first = false;
    print(out_, " range {} {}\n", relaxation_.name(i), decimal_text(*range.upper - *range.lower));
  }
}

/// The default is 0 .. infinity. Where a reader could have another idea (an upper bound below 0, an
/// integer column without bounds), both ends are stated.
void MpsWriter::bounds_of(ColIndex j) {
  const std::string& name = relaxation_.name(j);
  const auto& [lower, upper] = relaxation_.range(j);
  const auto line = [&](const char* type) { print(out_, " {} bound {}\n", type, name); };
  const auto line_with = [&](const char* type, const Rational& value) {
    print(out_, " {} bound {} {}\n", type, name, bound_text(value));
  };
  if (program_.is_binary(j)) return line("BV");
  if (!lower && !upper) return line("FR");
  if (lower && upper && *lower == *upper) return line_with("FX", *lower);
  if (!lower) line("MI");
  if (lower && (lower->sign() != 0 || (upper && upper->sign() < 0))) line_with("LO", *lower);
  if (upper) line_with("UP", *upper);
  if (!upper && program_.is_integer(j)) line("PL");
}

void MpsWriter::bounds() {
  print(out_, "BOUNDS\n");
  for (ColIndex j; j.value() < relaxation_.columns(); ++j) bounds_of(j);
}

std::string MpsWriter::write() {
  check_all_names();
  print_remarks(out_, program_, "*");
  print(out_, "NAME{}{}\n", program_.name.empty() ? "" : " ", program_.name);
  if (program_.maximise) print(out_, "OBJSENSE\n MAX\n");
  rows();
  print(out_, "COLUMNS\n");
  columns(false);
  if (program_.integers() > 0) {
    print(out_, " MARKER1 'MARKER' 'INTORG'\n");
    columns(true);
    print(out_, " MARKER2 'MARKER' 'INTEND'\n");
  }
  right_hand_sides();
  ranges();
  bounds();
  print(out_, "ENDATA\n");
  return fmt::to_string(out_);
}

}  // namespace

std::string free_mps(const MixedIntegerProgram& program) { return MpsWriter(program).write(); }

}  // namespace pimbb::lp
