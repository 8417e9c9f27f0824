// Small programs, each with one thing that solvers get wrong.
#include <doctest/doctest.h>

#include <stdexcept>
#include <stop_token>

#include "lp/certificate.hpp"
#include "lp/programs.hpp"
#include "lp/safe_bound.hpp"
#include "lp/simplex.hpp"

using pimbb::Rational;
using namespace pimbb::lp;
using testkit::program;
using testkit::range;

namespace {

SimplexStatus solved(Simplex& simplex) {
  const SimplexStatus status = simplex.solve();
  CHECK(certify(simplex, status).is_proved);
  return status;
}

Rational optimum(const LinearProgram& program) {
  Simplex simplex(program);
  const SimplexStatus status = simplex.solve();
  REQUIRE(status == SimplexStatus::optimal);
  const Certificate certificate = certify(simplex, status);
  REQUIRE(certificate.is_proved);
  return *certificate.objective;
}

SimplexStatus status(const LinearProgram& program) {
  Simplex simplex(program);
  return solved(simplex);
}

/// minimise -x - 2 y, x + y <= 4, x - y >= -2, both >= 0
LinearProgram small() { return program("-1 -2", {{"", "1 1", "4"}, {"-2", "1 -1", ""}}); }

}  // namespace

TEST_CASE("values, activities and multipliers of an optimum") {
  Simplex simplex(small());
  REQUIRE(solved(simplex) == SimplexStatus::optimal);
  CHECK(simplex.objective() == doctest::Approx(-7));
  CHECK(simplex.value(ColIndex(0)) == doctest::Approx(1));
  CHECK(simplex.value(ColIndex(1)) == doctest::Approx(3));
  CHECK(simplex.activity(RowIndex(0)) == doctest::Approx(4));
  CHECK(simplex.activity(RowIndex(1)) == doctest::Approx(-2));
  CHECK(simplex.multipliers()[0] == doctest::Approx(-1.5));
  CHECK(simplex.multipliers()[1] == doctest::Approx(0.5));
}

TEST_CASE("infeasible by rows, by bounds, by an empty range") {
  CHECK(status(program("1 1", {{"3", "1 1", ""}, {"", "1 1", "2"}})) == SimplexStatus::infeasible);
  CHECK(status(program("0", {{"", "1", "-1"}})) == SimplexStatus::infeasible);
  LinearProgram bounded = program("1 1", {{"5", "1 1", ""}});
  bounded.set_range(ColIndex(0), range("0", "2"));
  bounded.set_range(ColIndex(1), range("0", "2"));
  CHECK(status(bounded) == SimplexStatus::infeasible);
  LinearProgram empty = small();
  empty.set_range(ColIndex(0), range("2", "1"));
  CHECK(status(empty) == SimplexStatus::infeasible);
  LinearProgram empty_row = small();
  empty_row.set_range(RowIndex(0), range("2", "1"));
  CHECK(status(empty_row) == SimplexStatus::infeasible);
}

TEST_CASE("infeasible by a third that no double holds") {
  // 3 x = 1 and x = 1/3 agree; with 0.333...3 they do not, though doubles can't tell.
  LinearProgram thirds = program("1", {{"1", "3", "1"}});
  thirds.set_range(ColIndex(0), range("1/3", "1/3"));
  CHECK(optimum(thirds) == Rational(1, 3));
  thirds.set_range(ColIndex(0), range("0.33333333333333331", "0.33333333333333331"));
  Simplex simplex(thirds);
  CHECK_FALSE(certify(simplex, simplex.solve()).is_proved);
}

TEST_CASE("unbounded, with a ray; and unbounded in cost but infeasible") {
  LinearProgram free = program("-1 0", {{"", "1 -1", "2"}});
  Simplex simplex(free);
  REQUIRE(solved(simplex) == SimplexStatus::unbounded);
  const std::vector<double> ray = simplex.unbounded_ray();
  CHECK(ray[0] > 0);
  CHECK(ray[0] == doctest::Approx(ray[1]));
  CHECK(status(program("-1 0 0", {{"", "1 -1 0", "2"}, {"", "0 0 1", "-1"}})) ==
        SimplexStatus::infeasible);
}

TEST_CASE("free, fixed, negative and boxed columns") {
  LinearProgram mixed = program("1 1 -1 1", {{"-5", "1 1 0 0", ""}, {"", "0 1 1 1", "9"}});
  mixed.set_range(ColIndex(0), {});
  mixed.set_range(ColIndex(1), range("", "-1"));
  mixed.set_range(ColIndex(2), range("-3", "7/2"));
  mixed.set_range(ColIndex(3), range("2", "2"));
  CHECK(optimum(mixed) == Rational(-13, 2));
}

TEST_CASE("ranges are met from both sides") {
  CHECK(optimum(program("1", {{"2", "1", "3"}})) == Rational(2));
  CHECK(optimum(program("-1", {{"2", "1", "3"}})) == Rational(-3));
}

TEST_CASE("nothing to do: no rows, no columns, empty rows and columns") {
  CHECK(optimum(program("", {})) == Rational(0));
  CHECK(optimum(program("2 0", {})) == Rational(0));
  CHECK(status(program("-1", {})) == SimplexStatus::unbounded);
  CHECK(optimum(program("1 1", {{"", "0 0", "1"}, {"3", "0 1", ""}})) == Rational(3));
  CHECK(status(program("1 1", {{"1", "0 0", ""}})) == SimplexStatus::infeasible);
  CHECK(status(program("", {{"1", "", ""}})) == SimplexStatus::infeasible);
}

TEST_CASE("redundant rows and dependent columns") {
  CHECK(optimum(program(
            "1 1 1",
            {{"2", "1 1 1", "2"}, {"4", "2 2 2", "4"}, {"2", "1 1 1", ""}, {"", "1 1 1", "2"}})) ==
        Rational(2));
}

TEST_CASE("entries from a billionth to a billion") {
  CHECK(optimum(program("1 1e-9", {{"1e9", "1e9 1", ""}, {"1e-9", "0 1e-9", ""}})) ==
        Rational::parse("0.999999999") + Rational::parse("1e-9"));
}

TEST_CASE("numbers that doubles cannot work with are refused") {
  CHECK_THROWS_AS(Simplex(program("1e101", {})), std::invalid_argument);
  CHECK_THROWS_AS(Simplex(program("1", {{"", "1e-101", "1"}})), std::invalid_argument);
  Simplex simplex(small());
  CHECK_THROWS_AS(simplex.set_range(ColIndex(0), range("", "1e101")), std::invalid_argument);
}

TEST_CASE("an iteration limit stops, and the next call goes on") {
  testkit::Draw draw(5);
  const LinearProgram program = testkit::random_program(draw, {30, 50, 4, true, true, true});
  Simplex whole(program);
  REQUIRE(whole.solve() == SimplexStatus::optimal);
  REQUIRE(whole.statistics().iterations() > 5);
  Simplex pieces(program);
  SimplexLimits limits;
  limits.iterations = 3;
  CHECK(pieces.solve(limits) == SimplexStatus::limit);
  CHECK(pieces.statistics().iterations() == 3);
  const auto bound = certify(pieces, SimplexStatus::limit).bound;
  REQUIRE(bound.has_value());
  REQUIRE(pieces.solve() == SimplexStatus::optimal);
  CHECK(pieces.objective() == doctest::Approx(whole.objective()));
  CHECK(*bound <= *certify(whole, SimplexStatus::optimal).objective);
}

TEST_CASE("a request to stop is obeyed") {
  std::stop_source source;
  source.request_stop();
  SimplexLimits limits;
  limits.stop = source.get_token();
  Simplex simplex(small());
  CHECK(simplex.solve(limits) == SimplexStatus::limit);
}

TEST_CASE("branching: change a range, solve again from the last basis") {
  Simplex simplex(small());
  simplex.solve();
  simplex.set_range(ColIndex(1), range("0", "2"));
  const auto before = simplex.statistics().iterations();
  REQUIRE(solved(simplex) == SimplexStatus::optimal);
  CHECK(simplex.objective() == doctest::Approx(-6));
  CHECK(simplex.statistics().iterations() - before <= 1);
  CHECK(simplex.statistics().primal_iterations <= before);
  simplex.set_range(ColIndex(1), range("5", ""));
  CHECK(solved(simplex) == SimplexStatus::infeasible);
  simplex.set_range(ColIndex(1), range("0", ""));
  REQUIRE(solved(simplex) == SimplexStatus::optimal);
  CHECK(simplex.objective() == doctest::Approx(-7));
}

TEST_CASE("a basis can be kept and put back") {
  Simplex first(small());
  first.solve();
  Simplex second(small());
  second.set_basis(first.basis());
  REQUIRE(solved(second) == SimplexStatus::optimal);
  CHECK(second.statistics().iterations() == 0);
  CHECK_THROWS_AS(second.set_basis(std::vector<VariableStatus>(3, VariableStatus::basic)),
                  std::invalid_argument);
  CHECK_THROWS_AS(second.set_basis(std::vector<VariableStatus>(4, VariableStatus::basic)),
                  std::invalid_argument);
  // A basis may also be singular: two equal columns. It is repaired.
  Simplex twins(program("1 1", {{"1", "1 1", ""}, {"1", "2 2", ""}}));
  twins.set_basis(std::vector<VariableStatus>{VariableStatus::basic, VariableStatus::basic,
                                              VariableStatus::at_lower, VariableStatus::at_lower});
  REQUIRE(solved(twins) == SimplexStatus::optimal);
  CHECK(twins.objective() == doctest::Approx(1));
  CHECK(twins.statistics().repairs > 0);
}

TEST_CASE("multipliers of a wrong size are refused; infinite ones count as zero") {
  const LinearProgram two = small();
  const SafeBound safe(two);
  const std::vector<double> one{1.0};
  CHECK_THROWS_AS(static_cast<void>(safe.lower_bound(std::span<const double>(one))),
                  std::invalid_argument);
  LinearProgram boxed = program("1", {{"1", "1", ""}});
  boxed.set_range(ColIndex(0), range("0", "9"));
  const std::vector<double> infinite{std::numeric_limits<double>::infinity()};
  CHECK(SafeBound(boxed).lower_bound(std::span<const double>(infinite)) == Rational(0));
}

TEST_CASE("a safe bound is exact where the multipliers are") {
  const LinearProgram two = small();
  const std::vector<Rational> exact{Rational(-3, 2), Rational(1, 2)};
  CHECK(SafeBound(two).lower_bound(std::span<const Rational>(exact)) == Rational(-7));
  // A sign that its row has no bound for is put to zero, which leaves x without a bound below.
  const std::vector<Rational> wrong{Rational(3, 2), Rational(1, 2)};
  CHECK_FALSE(SafeBound(two).lower_bound(std::span<const Rational>(wrong)).has_value());
}

// certify() trusts nothing that the simplex says. Here it is asked about ranges that have changed
// since, so that the basis belongs to a point or a ray that they exclude.
TEST_CASE("no proof from a point outside a range") {
  // No costs: bound and objective agree at any point. One column is fixed, one basic.
  LinearProgram exact = program("0 0", {{"", "1 0", "4"}, {"4", "0 2", "4"}});
  exact.set_range(ColIndex(0), range("1", "1"));
  Simplex simplex(exact);
  REQUIRE(solved(simplex) == SimplexStatus::optimal);
  const auto is_proved = [&] {
    const Certificate certificate = certify(simplex, SimplexStatus::optimal);
    CHECK(certificate.objective.has_value() == certificate.is_proved);
    return certificate.is_proved;
  };
  for (const auto& [lower, upper, proved] : {std::tuple{"1", "1", true},
                                             {"", "0", false},
                                             {"", "0.999", false},
                                             {"2", "", false},
                                             {"1.001", "4", false}}) {
    simplex.set_range(RowIndex(0), range(lower, upper));
    CHECK(is_proved() == proved);
  }
  simplex.set_range(RowIndex(0), range("", "4"));
  CHECK(is_proved());
  for (const auto& [lower, upper, proved] : {std::tuple{"2", "2", true},
                                             {"0", "1", false},
                                             {"0", "1.999", false},
                                             {"3", "", false},
                                             {"2.001", "5", false}}) {
    simplex.set_range(ColIndex(1), range(lower, upper));
    CHECK(is_proved() == proved);
  }
}

TEST_CASE("no proof from a ray that leaves a range, costs nothing or starts nowhere") {
  // minimise -x; x + z = y, x - u <= 1, f <= 4, where f = 1: x, y and u grow without limit
  LinearProgram exact = program(
      "-1 0 0 0 0", {{"0", "1 1 -1 0 0", "0"}, {"", "1 0 0 -1 0", "1"}, {"", "0 0 0 0 1", "4"}});
  exact.set_range(ColIndex(4), range("1", "1"));
  const auto is_proved = [](const Simplex& simplex) {
    return certify(simplex, SimplexStatus::unbounded).is_proved;
  };
  Simplex simplex(exact);
  REQUIRE(solved(simplex) == SimplexStatus::unbounded);
  for (const int column : {0, 2, 3}) {
    simplex.set_range(ColIndex(column), range("0", "1000000"));
    CHECK_FALSE(is_proved(simplex));
    simplex.set_range(ColIndex(column), range("0", ""));
    CHECK(is_proved(simplex));
  }
  simplex.set_range(RowIndex(2), range("", "0"));  // f = 1 is infeasible
  CHECK_FALSE(is_proved(simplex));

  // minimise -x, x >= 0 as a row: a limit to the row is a limit to x
  Simplex one(program("-1", {{"0", "1", ""}}));
  REQUIRE(solved(one) == SimplexStatus::unbounded);
  one.set_range(RowIndex(0), range("0", "1000"));
  CHECK_FALSE(is_proved(one));

  // minimise -x, x + z = y: what enters is y, and with z instead of x in the basis it costs nothing
  Simplex two(program("-1 0 0", {{"0", "1 1 -1", "0"}}));
  REQUIRE(solved(two) == SimplexStatus::unbounded);
  REQUIRE(two.unbounded_entering() == 2);
  using enum VariableStatus;
  two.set_basis(std::vector{at_lower, basic, at_lower, at_lower});
  CHECK_FALSE(is_proved(two));
  two.set_basis(std::vector{basic, at_lower, at_lower, at_lower});
  CHECK(is_proved(two));
}

TEST_CASE("a program grows by columns and rows between solves") {
  Simplex simplex(small());
  REQUIRE(solved(simplex) == SimplexStatus::optimal);  // x = 1, y = 3
  CHECK(simplex.objective() == doctest::Approx(-7));
  const std::vector<double> before = simplex.multipliers();

  // z, at least 1, with z in the first row only: 3 z is cheaper than 2 y
  simplex.add_columns(
      std::vector<NewColumn>{{Rational(-3), range("1", ""), {{RowIndex(0), Rational(1)}}, "z"}});
  CHECK(simplex.program().name(ColIndex(2)) == "z");
  CHECK(simplex.multipliers() == before);
  REQUIRE(solved(simplex) == SimplexStatus::optimal);
  CHECK(simplex.objective() == doctest::Approx(-12));
  CHECK(simplex.value(ColIndex(2)) == doctest::Approx(4));

  simplex.add_rows(std::vector<NewRow>{
      {range("", "300"), {{ColIndex(2), Rational(100)}}, "most"},  // scaled differently
      {range("1/2", ""), {{ColIndex(0), Rational(1)}}, "least"}});
  REQUIRE(solved(simplex) == SimplexStatus::optimal);  // z = 3, x = 1/2, y = 1/2
  CHECK(simplex.objective() == doctest::Approx(-10.5));
  CHECK(simplex.activity(RowIndex(2)) == doctest::Approx(300));
  CHECK(simplex.basis().size() == 7);

  simplex.add_rows(std::vector<NewRow>{{range("4", "3"), {}}});
  CHECK(solved(simplex) == SimplexStatus::infeasible);
}

TEST_CASE("what cannot be added leaves the program as it is") {
  Simplex simplex(small());
  const NewColumn fine{Rational(1), range("0", ""), {{RowIndex(1), Rational(1)}}};
  const auto columns = [&](const NewColumn& second) {
    simplex.add_columns(std::vector<NewColumn>{fine, second});
  };
  const auto rows = [&](const NewRow& row) { simplex.add_rows(std::vector<NewRow>{row}); };
  const Range all = range("", "");
  const Rational large = Rational::parse("1e101");
  CHECK_THROWS_AS(columns({large, all, {}}), std::invalid_argument);
  CHECK_THROWS_AS(columns({Rational(1), range("", "1e101"), {}}), std::invalid_argument);
  CHECK_THROWS_AS(columns({Rational(1), all, {{RowIndex(0), large}}}), std::invalid_argument);
  CHECK_THROWS_AS(columns({Rational(1), all, {{RowIndex(2), Rational(1)}}}), std::out_of_range);
  CHECK_THROWS_AS(rows({range("1e101", ""), {}}), std::invalid_argument);
  CHECK_THROWS_AS(rows({all, {{ColIndex(0), large}}}), std::invalid_argument);
  CHECK_THROWS_AS(rows({all, {{ColIndex(2), Rational(1)}}}), std::out_of_range);
  CHECK(simplex.program().columns() == 2);
  CHECK(simplex.program().rows() == 2);
  CHECK(simplex.basis().size() == 4);
  CHECK(solved(simplex) == SimplexStatus::optimal);
}

TEST_CASE("a start that is feasible neither way needs no primal iteration after a first phase") {
  // minimise -x - y, x + y >= 1, x + 2 y <= 4, 3 x + y <= 6
  const LinearProgram both_ways =
      program("-1 -1", {{"1", "1 1", ""}, {"", "1 2", "4"}, {"", "3 1", "6"}});
  for (const bool first_phase : {true, false}) {
    Simplex simplex(both_ways, {true, 40, false, first_phase});
    REQUIRE(solved(simplex) == SimplexStatus::optimal);
    CHECK(simplex.objective() == doctest::Approx(-2.8));
    CHECK((simplex.statistics().primal_iterations == 0) == first_phase);
  }

  // with a free column that nothing limits: there is no dual feasible basis
  LinearProgram unlimited = both_ways;
  const ColIndex free = unlimited.add_column(Rational(1), range("", ""));
  unlimited.add_entry(RowIndex(0), free, Rational(-1));
  CHECK(status(unlimited) == SimplexStatus::unbounded);
}
