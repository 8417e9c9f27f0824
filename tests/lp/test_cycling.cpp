// The examples on which textbook pivoting cycles for ever, or takes exponentially long. Each has to
// end at the right optimum under every guard against cycling alone; their duals put the dual
// simplex to the same test.
#include <doctest/doctest.h>

#include "lp/certificate.hpp"
#include "lp/programs.hpp"
#include "lp/simplex.hpp"

using pimbb::Rational;
using namespace pimbb::lp;
using testkit::program;

namespace {

struct Example {
  const char* name;
  LinearProgram primal;
  Rational optimum;
};

LinearProgram klee_minty(int size) {
  LinearProgram out;
  for (int j = 0; j < size; ++j) {
    out.add_column(Rational(-(1 << (size - 1 - j))), {Rational(0), std::nullopt});
  }
  Rational limit(1);
  for (int i = 0; i < size; ++i) {
    limit *= Rational(5);
    const RowIndex row = out.add_row({std::nullopt, limit});
    for (int j = 0; j < i; ++j) out.add_entry(row, ColIndex(j), Rational(1 << (i - j + 1)));
    out.add_entry(row, ColIndex(i), Rational(1));
  }
  return out;
}

std::vector<Example> examples() {
  return {
      {"Beale 1955",
       program("-3/4 20 -1/2 6",
               {{"", "1/4 -8 -1 9", "0"}, {"", "1/2 -12 -1/2 3", "0"}, {"", "0 0 1 0", "1"}}),
       Rational(-5, 4)},
      {"Kuhn",
       program("-2 -3 1 12",
               {{"", "-2 -9 1 9", "0"}, {"", "1/3 1 -1/3 -2", "0"}, {"", "2 3 -1 -12", "2"}}),
       Rational(-2)},
      {"Marshall and Suurballe 1969",
       program("-0.4 -0.4 1.8", {{"", "0.6 -6.4 4.8", "0"},
                                 {"", "0.2 -1.8 0.6", "0"},
                                 {"", "0.4 -1.6 0.2", "0"},
                                 {"", "0 1 0", "1"}}),
       Rational(-2)},
      {"Chvatal 1983",
       program("-10 57 9 24",
               {{"", "0.5 -5.5 -2.5 9", "0"}, {"", "0.5 -1.5 -0.5 1", "0"}, {"", "1 0 0 0", "1"}}),
       Rational(-1)},
      {"Klee and Minty 1972", klee_minty(8), Rational(-390625)},
  };
}

const SimplexOptions kGuards[] = {
    {true, 40, false},  // all, as in use
    {true, 0, false},   // perturbation at the first idle step
    {false, 0, false},  // Bland's rule after as many idle steps as rows
    {false, 40, true},  // Bland's rule throughout
};

void check_optimum(const LinearProgram& program, const Rational& optimum,
                   const SimplexOptions& options) {
  Simplex simplex(program, options);
  SimplexLimits limits;
  limits.iterations = 10000;
  const SimplexStatus status = simplex.solve(limits);
  REQUIRE(status == SimplexStatus::optimal);
  const Certificate certificate = certify(simplex, status);
  CHECK(certificate.is_proved);
  CHECK(certificate.objective == optimum);
  CHECK((simplex.statistics().bland_iterations > 0) ==
        (options.bland && simplex.statistics().iterations() > 0));
  if (!options.perturb) CHECK(simplex.statistics().perturbations == 0);
}

}  // namespace

TEST_CASE("programs on which the simplex cycles end at their optimum") {
  for (const Example& example : examples()) {
    CAPTURE(example.name);
    for (const SimplexOptions& options : kGuards)
      check_optimum(example.primal, example.optimum, options);
  }
}

TEST_CASE("their duals, for the dual simplex") {
  for (const Example& example : examples()) {
    CAPTURE(example.name);
    for (const SimplexOptions& options : kGuards) {
      check_optimum(testkit::dual(example.primal), Rational(0) - example.optimum, options);
    }
  }
}

TEST_CASE("a vertex where everything ties") {
  // All points of the unit simplex are optimal, and every row is tight at zero.
  for (const SimplexOptions& options : kGuards) {
    LinearProgram ties;
    const RowIndex sum = ties.add_row({Rational(1), Rational(1)});
    for (int j = 0; j < 12; ++j) {
      const ColIndex column = ties.add_column(Rational(3), {Rational(0), std::nullopt});
      ties.add_entry(sum, column, Rational(1));
    }
    for (int i = 0; i < 12; ++i) {
      const RowIndex row = ties.add_row({std::nullopt, Rational(0)});
      for (int j = 0; j < 12; ++j) {
        ties.add_entry(row, ColIndex(j), Rational(j == i ? -11 : j > i ? 1 : -1));
      }
    }
    Simplex simplex(ties, options);
    REQUIRE(simplex.solve() == SimplexStatus::optimal);
    CHECK(certify(simplex, SimplexStatus::optimal).objective == Rational(3));
  }
}
