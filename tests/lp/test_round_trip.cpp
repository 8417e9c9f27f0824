// Writing programs in both formats: the text of one with every feature, what is refused, and that
// reading gives the program again, for random programs and those of the Netlib folder.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "lp/format/program_file.hpp"
#include "lp/programs.hpp"
#include "support/cases.hpp"

using pimbb::Rational;
using namespace pimbb::lp;

namespace {

using testkit::range;

/// Every kind of row and column.
MixedIntegerProgram features() {
  MixedIntegerProgram out;
  out.name = "features";
  out.objective_name = "profit";
  out.remarks = {"two\nlines"};
  out.maximise = true;
  out.constant = Rational(-7, 2);
  LinearProgram& lp = out.relaxation;
  const RowIndex most = lp.add_row(range("", "24"), "most");
  const RowIndex least = lp.add_row(range("-1/8", ""), "least");
  const RowIndex same = lp.add_row(range("0", "0"), "same");
  const RowIndex between = lp.add_row(range("2", "8"), "between");
  lp.add_row(range("", ""), "free");
  const ColIndex x = lp.add_column(Rational(-3), range("0", ""), "x");
  const ColIndex n = lp.add_column(Rational(1, 10), range("-2", "5"), "n");
  const ColIndex bit = lp.add_column(Rational(0), range("0", "1"), "bit");
  const ColIndex down = lp.add_column(Rational(0), range("", "-1"), "down");
  const ColIndex any = lp.add_column(Rational(0), range("", ""), "any");
  lp.add_column(Rational(0), range("4", "4"), "fixed");
  lp.add_column(Rational(0), range("0", "-1"), "none");
  const ColIndex count = lp.add_column(Rational(0), range("0", ""), "count");
  for (const ColIndex c : {n, bit, count}) out.mark_integer(c);
  lp.add_entry(most, x, Rational(1));
  lp.add_entry(most, n, Rational(-5, 4));
  lp.add_entry(least, bit, Rational(1));
  lp.add_entry(same, down, Rational(2));
  lp.add_entry(same, any, Rational(-1, 1000));
  lp.add_entry(between, count, Rational(1'000'000'007));
  return out;
}

/// What a file of this format can hold of a program.
MixedIntegerProgram expected_in(ProgramFormat format, MixedIntegerProgram program) {
  if (format == ProgramFormat::lp) program.name.clear();
  if (format == ProgramFormat::mps && program.objective_name.empty()) {
    program.objective_name = "objective";
  }
  return program;
}

/// What is different after writing and reading; empty if nothing.
std::string lost(const MixedIntegerProgram& program, ProgramFormat format) {
  const std::string text = write_program(program, format);
  CAPTURE(text);
  return testkit::difference(expected_in(format, program), parse_program(text, "text", format));
}

/// A number with a finite decimal expansion: small, fractional, or large.
Rational some_decimal(testkit::Draw& draw) {
  const Rational small(draw.next(19) - 9);
  switch (draw.next(6)) {
    case 0: return small / Rational(8);
    case 1: return small / Rational(1'000'000);
    case 2: return small * Rational(1'000'000'000'000'007);
    case 3: return small + Rational::parse("123456789012.0000000000000000000009765625");
    default: return small;
  }
}

Range some_range(testkit::Draw& draw) {
  Range out;
  if (draw.next(3) != 0) out.lower = some_decimal(draw);
  if (draw.next(2) != 0) out.upper = draw.next(3) == 0 ? out.lower : Bound(some_decimal(draw));
  if (draw.next(4) == 0) out = range("0", draw.next(2) == 0 ? "" : "1");
  return out;
}

MixedIntegerProgram random_file(testkit::Draw& draw, bool empty_rows) {
  MixedIntegerProgram out;
  out.name = draw.next(2) == 0 ? "" : "some_name";
  out.objective_name = draw.next(2) == 0 ? "" : "cost";
  out.maximise = draw.next(2) == 0;
  if (draw.next(2) == 0) out.constant = some_decimal(draw);
  const int rows = draw.next(6);
  for (int i = 0; i < rows; ++i) {
    Range activity = some_range(draw);
    if (activity.is_empty() && !empty_rows) std::swap(activity.lower, activity.upper);
    out.relaxation.add_row(activity, "row" + std::to_string(i));
  }
  const int columns = 1 + draw.next(12);
  for (int j = 0; j < columns; ++j) {
    const Rational cost = draw.next(2) == 0 ? Rational() : some_decimal(draw);
    const ColIndex column = out.relaxation.add_column(cost, some_range(draw),
                                                      "a_rather_long_name_" + std::to_string(j));
    if (draw.next(3) == 0) out.mark_integer(column);
    for (int i = 0; i < rows; ++i) {
      if (draw.next(2) == 0) out.relaxation.add_entry(RowIndex(i), column, some_decimal(draw));
    }
  }
  return out;
}

/// The same program with the names r0, r1, ... and x0, x1, ..., which both formats take.
MixedIntegerProgram with_plain_names(const MixedIntegerProgram& program) {
  MixedIntegerProgram out;
  out.maximise = program.maximise;
  out.constant = program.constant;
  const LinearProgram& from = program.relaxation;
  for (RowIndex i; i.value() < from.rows(); ++i) {
    out.relaxation.add_row(from.range(i), "r" + std::to_string(i.value()));
  }
  for (ColIndex j; j.value() < from.columns(); ++j) {
    out.relaxation.add_column(from.cost(j), from.range(j), "x" + std::to_string(j.value()));
    if (program.is_integer(j)) out.mark_integer(j);
    for (const Entry& entry : from.entries(j)) out.relaxation.add_entry(entry.row, j, entry.value);
  }
  return out;
}

}  // namespace

TEST_CASE("free MPS, letter by letter") {
  CHECK(write_program(features(), ProgramFormat::mps) ==
        "* two?lines\n"
        "NAME features\n"
        "OBJSENSE\n"
        " MAX\n"
        "ROWS\n"
        " N profit\n"
        " L most\n"
        " G least\n"
        " E same\n"
        " G between\n"
        " N free\n"
        "COLUMNS\n"
        " x most 1\n"
        " x profit 3\n"
        " down same 2\n"
        " any same -0.001\n"
        " fixed profit 0\n"
        " none profit 0\n"
        " MARKER1 'MARKER' 'INTORG'\n"
        " n most -1.25\n"
        " n profit -0.1\n"
        " bit least 1\n"
        " count between 1000000007\n"
        " MARKER2 'MARKER' 'INTEND'\n"
        "RHS\n"
        " rhs profit 3.5\n"
        " rhs most 24\n"
        " rhs least -0.125\n"
        " rhs between 2\n"
        "RANGES\n"
        " range between 6\n"
        "BOUNDS\n"
        " LO bound n -2\n"
        " UP bound n 5\n"
        " BV bound bit\n"
        " MI bound down\n"
        " UP bound down -1\n"
        " FR bound any\n"
        " FX bound fixed 4\n"
        " LO bound none 0\n"
        " UP bound none -1\n"
        " PL bound count\n"
        "ENDATA\n");
}

TEST_CASE("LP format, letter by letter") {
  CHECK(write_program(features(), ProgramFormat::lp) ==
        "\\ two?lines\n"
        "Maximize\n"
        " profit: + 3 x - 0.1 n + 0 fixed + 0 none - 3.5\n"
        "Subject To\n"
        " most: + 1 x - 1.25 n <= 24\n"
        " least: + 1 bit >= -0.125\n"
        " same: + 2 down - 0.001 any = 0\n"
        " between: 2 <= + 1000000007 count <= 8\n"
        " free: + 0 x >= -inf\n"
        "Bounds\n"
        " -2 <= n <= 5\n"
        " -inf <= down <= -1\n"
        " any free\n"
        " fixed = 4\n"
        " 0 <= none <= -1\n"
        "General\n"
        " n\n"
        " count\n"
        "Binary\n"
        " bit\n"
        "End\n");
}

TEST_CASE("what is written is read as the same program") {
  CHECK(lost(features(), ProgramFormat::mps) == "");
  CHECK(lost(features(), ProgramFormat::lp) == "");
  for (std::uint64_t seed = 0; seed < testkit::cases(3000); ++seed) {
    CAPTURE(seed);
    testkit::Draw draw(seed);
    CHECK(lost(random_file(draw, false), ProgramFormat::mps) == "");
    CHECK(lost(random_file(draw, true), ProgramFormat::lp) == "");
  }
}

TEST_CASE("the Netlib programs are read as the same after writing them") {
  const char* shared = std::getenv("PIMBB_SHARED");
  if (shared == nullptr) {
    MESSAGE("skipped: no $PIMBB_SHARED/netlib");
    return;
  }
  for (const auto& file : std::filesystem::directory_iterator(std::string(shared) + "/netlib")) {
    if (file.path().extension() != ".mps" && file.path().extension() != ".lp") continue;
    CAPTURE(file.path().filename());
    const MixedIntegerProgram program = read_program(file.path().string());
    if (file.path().extension() == ".mps") CHECK(lost(program, ProgramFormat::mps) == "");
    if (file.path().extension() == ".lp") CHECK(lost(program, ProgramFormat::lp) == "");
    for (const auto format : {ProgramFormat::mps, ProgramFormat::lp}) {
      CHECK(lost(with_plain_names(program), format) == "");
    }
  }
}

namespace {

/// The complaint of the writer about a program of one column and one row.
std::string complaint(const std::string& column, const Range& values, const std::string& row,
                      const Range& activity, const Rational& entry, ProgramFormat format) {
  MixedIntegerProgram program;
  program.relaxation.add_row(activity, row);
  program.relaxation.add_column(Rational(1), values, column);
  program.relaxation.add_entry(RowIndex(0), ColIndex(0), entry);
  try {
    write_program(program, format);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "written";
}

}  // namespace

TEST_CASE("what a format cannot state exactly is refused") {
  const auto mps = ProgramFormat::mps;
  const auto lp = ProgramFormat::lp;
  const Range plain = range("0", "");
  const Range empty = range("2", "1");
  for (const auto format : {mps, lp}) {
    CHECK(complaint("x", plain, "r", plain, Rational(1), format) == "written");
    CHECK(complaint("x", plain, "r", plain, Rational(1, 3), format) ==
          "the number 1/3 of a program has no finite decimal expansion");
    CHECK(complaint("x", plain, "r", plain, Rational::parse("1e101"), format)
              .ends_with("is too large or too small for its readers"));
    CHECK(complaint("x", plain, "r", range("", "1e20"), Rational(1), format)
              .ends_with("would be taken for an infinite bound"));
    CHECK(complaint("x", range("-1e20", ""), "r", plain, Rational(1), format)
              .ends_with("would be taken for an infinite bound"));
    CHECK(complaint("two words", plain, "r", plain, Rational(1), format) ==
          "the name 'two words' cannot be written in this format");
    CHECK(complaint("", plain, "r", plain, Rational(1), format) ==
          "the name '' cannot be written in this format");
  }
  CHECK(complaint("x", plain, "r", empty, Rational(1), lp) == "written");
  CHECK(complaint("x", plain, "r", empty, Rational(1), mps) ==
        "MPS cannot state the empty range of row r");
  CHECK(complaint("x", plain, "objective", plain, Rational(1), mps) ==
        "the name 'objective' stands for two parts of a program");
  CHECK(complaint("x", plain, "", plain, Rational(1), lp) == "written");
  CHECK(complaint("3x", plain, "r", plain, Rational(1), mps) == "written");
  for (const char* name : {"3x", "st", "Bounds", "inf", "semi", "a-b"}) {
    CHECK(complaint(name, plain, "r", plain, Rational(1), lp) ==
          "the name '" + std::string(name) + "' cannot be written in this format");
  }
}
