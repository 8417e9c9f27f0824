// MPS and LP format: what they mean, and what is refused at which line.
#include <doctest/doctest.h>

#include "lp/certificate.hpp"
#include "lp/format/lp_format_reader.hpp"
#include "lp/format/mps_reader.hpp"
#include "lp/programs.hpp"
#include "lp/simplex.hpp"
#include "pimbb/error.hpp"

using pimbb::Rational;
using pimbb::lp::MixedIntegerProgram;
using pimbb::lp::parse_lp_format;
using pimbb::lp::parse_mps;
using namespace pimbb::lp;

namespace {

bool is_range(const Range& found, const std::string& lower, const std::string& upper) {
  const Range expected = testkit::range(lower, upper);
  return found.lower == expected.lower && found.upper == expected.upper;
}

Rational entry(const LinearProgram& program, int row, int column) {
  for (const Entry& entry : program.entries(ColIndex(column))) {
    if (entry.row.value() == row) return entry.value;
  }
  return {};
}

/// The message, which has to begin with the file and the line.
std::string refusal(MixedIntegerProgram (*parse)(std::string_view, const std::string&),
                    const std::string& text) {
  try {
    parse(text, "file");
  } catch (const pimbb::InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kRows = "NAME tiny\nROWS\n N COST\n L LIM\n G LOW\n E FIX\n";
const std::string kColumns = "COLUMNS\n X COST 0.1 LIM 1\n X LOW 1\n Y FIX 2 LOW 1\n";

std::string mps(const std::string& rest) { return kRows + kColumns + rest + "ENDATA\n"; }

}  // namespace

TEST_CASE("MPS: rows, columns, right hand sides and their exact values") {
  const MixedIntegerProgram file =
      parse_mps(mps("RHS\n B LIM 4 LOW 1e-3\n B FIX 7. COST 3\n"), "file");
  CHECK(file.name == "tiny");
  CHECK_FALSE(file.maximise);
  CHECK(file.relaxation.rows() == 3);
  CHECK(file.relaxation.columns() == 2);
  CHECK(file.relaxation.name(RowIndex(2)) == "FIX");
  CHECK(file.relaxation.name(ColIndex(1)) == "Y");
  CHECK(file.relaxation.cost(ColIndex(0)) == Rational(1, 10));
  CHECK(file.relaxation.cost(ColIndex(1)) == Rational(0));
  CHECK(entry(file.relaxation, 2, 1) == Rational(2));
  CHECK(is_range(file.relaxation.range(RowIndex(0)), "", "4"));
  CHECK(is_range(file.relaxation.range(RowIndex(1)), "1/1000", ""));
  CHECK(is_range(file.relaxation.range(RowIndex(2)), "7", "7"));
  CHECK(is_range(file.relaxation.range(ColIndex(0)), "0", ""));
  CHECK(file.constant == Rational(-3));  // the right hand side of the objective is subtracted
  CHECK(file.objective(Rational(10)) == Rational(7));
}

TEST_CASE("MPS: ranges go from the right hand side in the direction of the row's type") {
  const std::string rhs = "RHS\n B LIM 4 LOW 1\n B FIX 7\n";
  const MixedIntegerProgram file =
      parse_mps(mps(rhs + "RANGES\n R LIM 3 LOW -2\n R FIX -5\n"), "file");
  CHECK(is_range(file.relaxation.range(RowIndex(0)), "1", "4"));
  CHECK(is_range(file.relaxation.range(RowIndex(1)), "1", "3"));
  CHECK(is_range(file.relaxation.range(RowIndex(2)), "2", "7"));
  const MixedIntegerProgram upwards = parse_mps(mps(rhs + "RANGES\n R FIX 5\n"), "file");
  CHECK(is_range(upwards.relaxation.range(RowIndex(2)), "7", "12"));
}

TEST_CASE("MPS: every type of bound") {
  struct Case {
    const char* lines;
    const char* lower;
    const char* upper;
    int integers;
  };
  const Case cases[] = {
      {" UP B X 4\n", "0", "4", 0},
      {" LO B X -4\n", "-4", "", 0},
      {" FX B X 2.5\n", "5/2", "5/2", 0},
      {" FR B X\n", "", "", 0},
      {" MI B X\n", "", "", 0},
      {" MI B X\n UP B X 3\n", "", "3", 0},
      {" PL B X\n", "0", "", 0},
      {" BV B X\n", "0", "1", 1},
      {" LI B X 2\n UI B X 5\n", "2", "5", 1},
      {" UP B X -1\n", "", "-1", 0},  // the customary reading of a negative upper bound
      {" LO B X -3\n UP B X -1\n", "-3", "-1", 0},
      {" UP B X -1\n LO B X -3\n", "-3", "-1", 0},
      {" UP B X 1e30\n", "0", "", 0},
      {" UP B X 1.7976931348623157D+308\n", "0", "", 0},
      {" LO B X -Inf\n", "", "", 0},
      {" UP X 4\n", "0", "4", 0},  // without the name of the set
      {" FR X\n", "", "", 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.lines);
    const MixedIntegerProgram file = parse_mps(mps(std::string("BOUNDS\n") + c.lines), "file");
    CHECK(is_range(file.relaxation.range(ColIndex(0)), c.lower, c.upper));
    CHECK(file.integers() == c.integers);
  }
}

TEST_CASE("MPS: sense, integer markers, extra N rows, comments") {
  const MixedIntegerProgram file = parse_mps(
      "* a comment\nNAME\nOBJSENSE\n MAX\nROWS\n N COST\n N OTHER\n L LIM\nCOLUMNS\n"
      " M1 'MARKER' 'INTORG'\n X COST 2 LIM 1\n X OTHER 5\n M2 'MARKER' 'INTEND'\n"
      " Y COST 1 LIM 1\nRHS\n LIM 3\n COST -1\nENDATA\n",
      "file");
  CHECK(file.maximise);
  CHECK(file.integers() == 1);
  CHECK(file.relaxation.cost(ColIndex(0)) == Rational(-2));
  CHECK(is_range(file.relaxation.range(RowIndex(0)), "", ""));
  CHECK(is_range(file.relaxation.range(ColIndex(0)), "0", "1"));
  Simplex simplex(file.relaxation);
  REQUIRE(simplex.solve() == SimplexStatus::optimal);
  CHECK(file.objective(*certify(simplex, SimplexStatus::optimal).objective) == Rational(5));
}

TEST_CASE("MPS: an integer column is 0 or 1 unless it has bounds") {
  const std::string head =
      kRows + "COLUMNS\n M1 'MARKER' 'INTORG'\n X COST 1 LIM 1\n M2 'MARKER' 'INTEND'\n";
  const auto read = [&](const std::string& bounds) {
    return parse_mps(head + bounds + "ENDATA\n", "file").relaxation.range(ColIndex(0));
  };
  CHECK(is_range(read(""), "0", "1"));
  CHECK(is_range(read("BOUNDS\n PL B X\n"), "0", ""));
  CHECK(is_range(read("BOUNDS\n LO B X 2\n"), "2", ""));
  CHECK(is_range(read("BOUNDS\n UP B X 7\n"), "0", "7"));
  CHECK(is_range(read("BOUNDS\n FR B X\n"), "", ""));
}

TEST_CASE("MPS: fixed columns may have names with blanks") {
  const MixedIntegerProgram file = parse_mps(
      "NAME          BLANKS\n"
      "ROWS\n"
      " N  THE COST\n"
      " L  ROW  A\n"
      "COLUMNS\n"
      "    COL  A    THE COST          -1.5   ROW  A             2.0\n"
      "RHS\n"
      "    RHS       ROW  A             3.0\n"
      "BOUNDS\n"
      " UP BND       COL  A             1.0\n"
      "ENDATA\n",
      "file");
  CHECK(file.relaxation.name(RowIndex(0)) == "ROW  A");
  CHECK(file.relaxation.name(ColIndex(0)) == "COL  A");
  CHECK(file.relaxation.cost(ColIndex(0)) == Rational(-3, 2));
  CHECK(entry(file.relaxation, 0, 0) == Rational(2));
  CHECK(is_range(file.relaxation.range(ColIndex(0)), "0", "1"));
}

TEST_CASE("MPS: text beside fixed columns is refused, behind them it is a comment") {
  // Names with blanks, which only fixed columns can tell.
  const std::string head =
      "ROWS\n N  THE COST\n L  ROW  A\n"
      "COLUMNS\n    COL  A    THE COST          -1.5   ROW  A             2.0\n";
  const std::string commented =
      "BOUNDS\n UP BND       COL  A             4.0                           upper\nENDATA\n";
  CHECK(is_range(parse_mps(head + commented, "file").relaxation.range(ColIndex(0)), "0", "4"));
  // The sense of the objective stands in no field.
  CHECK(parse_mps("OBJSENSE\n  MAXIMIZE\n" + head + "ENDATA\n", "file").maximise);
  struct Case {
    std::string lines;
    const char* message;
  };
  const Case cases[] = {
      {"BOUNDS\n" + std::string(62, ' ') + "UP\n", "file:7: found no field, allowed are bound"},
      {"BOUNDS\n   B\n", "file:7: found 'B' beside the fields, allowed are the columns 2-3, 5"},
      // Numbers of 13 characters in fields of 12.
      {"BOUNDS\n UP BND       COL  A    123456789.125\n", "file:7: found '5' beside the fields"},
      {"RHS\n    RHS       ROW  A    123456789.123   THE COST  1.0\n", "file:7: found '3' beside"},
      {"RHS\n    RHS       ROW  A    1.0            THE COST  123456789.127\n",
       "file:7: found '7' beside the fields"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.lines);
    const std::string message = refusal(parse_mps, head + c.lines);
    CAPTURE(message);
    CHECK(message.starts_with(c.message));
  }
}

TEST_CASE("MPS: what is wrong is refused at its line") {
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"", "file:1: the file ends without ENDATA"},
      {kRows, "file:6: the file ends without ENDATA"},
      {"ROWS\n L A\nENDATA\n", "file:3: found no N row"},
      {"ROWS\n Q A\n", "file:2: found the row type 'Q'"},
      {"ROWS\n L A\n L A\n", "file:3: found the row 'A' a second time"},
      {"ROWS\nROWS\n", "file:2: found a second section 'ROWS'"},
      {"COLUMS\n", "file:1: found the section 'COLUMS' (did you mean 'COLUMNS'?)"},
      {"QUADOBJ\n", "file:1: found the section 'QUADOBJ'"},
      {kRows + "COLUMNS\n X NONE 1\n", "file:8: found the row 'NONE'"},
      {kRows + "COLUMNS\n X LIM one\n", "file:8: found 'one', allowed are decimal numbers"},
      {kRows + "COLUMNS\n X LIM 1e101\n", "file:8: found '1e101', allowed are decimal numbers"},
      {kRows + "COLUMNS\n X LIM 1e-101\n", "file:8: found '1e-101'"},
      {kRows + "COLUMNS\n X LIM 1/3\n", "file:8: found '1/3'"},
      {kRows + "COLUMNS\n X LIM\n", "file:8: found 2 fields"},
      {kRows + "COLUMNS\n X LIM 1\n X LIM 2\n", "file:9: found a second coefficient"},
      {kRows + "COLUMNS\n X LIM 1\n Y LIM 1\n X LOW 1\n", "file:10: found the column 'X' again"},
      {mps("RHS\n B LIM 1\n C LOW 1\n"), "file:13: found a second set 'C'"},
      {mps("RHS\n B LIM 1\n B LIM 1\n"), "file:13: found a second right hand side"},
      {mps("RANGES\n B COST 1\n"), "file:12: found a range of the N row"},
      {mps("BOUNDS\n SC B X 1\n"), "file:12: found the bound type 'SC': semi-continuous"},
      {mps("BOUNDS\n XX B X 1\n"), "file:12: found the bound type 'XX'"},
      {mps("BOUNDS\n UP B Z 1\n"), "file:12: found the column 'Z'"},
      {mps("BOUNDS\n LO B X inf\n"), "file:12: found a lower bound of inf"},
      {mps("BOUNDS\n UP B X -1e20\n"), "file:12: found an upper bound of -1e20"},
      {"OBJSENSE\n UPWARDS\n", "file:2: OBJSENSE: found 'UPWARDS'"},
      {" X\n", "file:1: found 'X' outside of a section"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(refusal(parse_mps, c.text).starts_with(c.message));
    if (!refusal(parse_mps, c.text).starts_with(c.message)) MESSAGE(refusal(parse_mps, c.text));
  }
}

TEST_CASE("LP format: objective, constraints, bounds") {
  const MixedIntegerProgram file = parse_lp_format(
      "\\ a comment\n"
      "Maximize\n"
      " profit: 3 x + 2y - z\n"
      "   + 0.5 x - 7\n"
      "Subject To\n"
      " time: x + 4 y <= 24\n"
      " 2 <= x - y <= 8\n"
      " st: - x - - 2 z >= -10.5e0 \\ a row may be called st\n"
      " x + 1 = 3\n"
      " -x => -1e30\n"
      "Bounds\n"
      " -inf <= y <= 5\n x <= 4\n 1 <= z\n z <= 9\n"
      "General\n x y\n"
      "End\n",
      "file");
  CHECK(file.maximise);
  CHECK(file.constant == Rational(-7));
  const LinearProgram& program = file.relaxation;
  REQUIRE(program.columns() == 3);
  CHECK(program.cost(ColIndex(0)) == Rational(-7, 2));
  CHECK(program.cost(ColIndex(2)) == Rational(1));
  REQUIRE(program.rows() == 5);
  CHECK(program.name(RowIndex(0)) == "time");
  CHECK(program.name(RowIndex(2)) == "st");
  CHECK(is_range(program.range(RowIndex(0)), "", "24"));
  CHECK(is_range(program.range(RowIndex(1)), "2", "8"));
  CHECK(is_range(program.range(RowIndex(2)), "-21/2", ""));
  CHECK(is_range(program.range(RowIndex(3)), "2", "2"));  // the constant went to the right
  CHECK(is_range(program.range(RowIndex(4)), "", ""));
  CHECK(entry(program, 0, 1) == Rational(4));
  CHECK(entry(program, 2, 2) == Rational(2));
  CHECK(is_range(program.range(ColIndex(0)), "0", "4"));
  CHECK(is_range(program.range(ColIndex(1)), "", "5"));
  CHECK(is_range(program.range(ColIndex(2)), "1", "9"));
  CHECK(file.integers() == 2);
}

TEST_CASE("LP format: short forms") {
  const MixedIntegerProgram file = parse_lp_format(
      "min x+y\nst\na: x+y>1\n b: 1 = x\nbounds\ny free\nx = 1\nbinary\n x\n", "file");
  CHECK(is_range(file.relaxation.range(RowIndex(0)), "1", ""));
  CHECK(is_range(file.relaxation.range(RowIndex(1)), "1", "1"));
  CHECK(is_range(file.relaxation.range(ColIndex(0)), "0", "1"));
  CHECK(is_range(file.relaxation.range(ColIndex(1)), "", ""));
  // No objective: any feasible point is optimal.
  CHECK(parse_lp_format("Minimize\n obj:\nSubject To\n x >= 1\nEnd\n", "file").relaxation.rows() ==
        1);
}

TEST_CASE("LP format: what is wrong is refused at its line") {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"", "file:1: found 'the end of the file', allowed is Minimize or Maximize"},
      {"x + y\n", "file:1: found 'x', allowed is Minimize"},
      {"min\n x\n", "file:3: found 'the end of the file', allowed is Subject To"},
      {"min\n x\nst\n x + <= 1\n", "file:4: found '<=', allowed is a number or a name"},
      {"min\n x\nst\n x 1\n", "file:4: found '1', allowed is a relation"},
      {"min\n x\nst\n x <= y\n", "file:4: found 'y', allowed is a number"},
      {"min\n x\nst\n x\n", "file:5: found 'the end of the file', allowed is a relation"},
      {"min\n x^2\nst\n", "file:2: found the character '^': products"},
      {"min\n [ x y ]\nst\n", "file:2: found the character '['"},
      {"min\n x\nst\n x < 1\nbounds\n y < 1\n", "file:6: found 'y', allowed is a variable"},
      {"min\n x\nst\n x < 1\nbounds\n x free 3\n", "file:7: found 'the end of the file'"},
      {"min\n x\nst\n x < 1\nbounds\n x = inf\n", "file:6: found 'inf'"},
      {"min\n x\nst\n x > inf\n", "file:4: found a lower bound of inf"},
      {"min\n x\nst\n x < 1\nsos1\n", "file:5: found the section 'sos1'"},
      {"min\n x\nst\n x < 1\nsemi-continuous\n x\n", "file:5: found the section"},
      {"min\n 1.2.3 x\nst\n", "file:2: found '1.2.3'"},
      {"min\n x\nst\n x < 1\nst\n", "file:5: found 'st', allowed is Bounds"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(refusal(parse_lp_format, c.text).starts_with(c.message));
    if (!refusal(parse_lp_format, c.text).starts_with(c.message)) {
      MESSAGE(refusal(parse_lp_format, c.text));
    }
  }
}

TEST_CASE("both readers survive any damage to a file") {
  const std::string texts[] = {
      mps("RHS\n B LIM 4\nRANGES\n R LIM 3\nBOUNDS\n UP B X 4\n"),
      "Maximize\n a: 3 x + 2 y\nSubject To\n b: 1 <= x + y <= 4\nBounds\n x free\nEnd\n"};
  testkit::Draw draw(1);
  for (int k = 0; k < 4000; ++k) {
    std::string text = texts[k % 2];
    for (int change = 0; change <= draw.next(3); ++change) {
      const int at = draw.next(static_cast<int>(text.size()));
      switch (draw.next(3)) {
        case 0: text[at] = static_cast<char>(draw.next(256)); break;
        case 1: text.erase(at, 1 + draw.next(5)); break;
        default: text.insert(at, text, draw.next(static_cast<int>(text.size())), 7); break;
      }
    }
    const std::string message = refusal(k % 2 == 0 ? parse_mps : parse_lp_format, text);
    CHECK((message == "accepted" || message.starts_with("file:")));
  }
}
