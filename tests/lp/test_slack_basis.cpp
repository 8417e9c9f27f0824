// Slack columns as basic variables: which are taken, and that the answer is the same.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "lp/certificate.hpp"
#include "lp/exact_simplex.hpp"
#include "lp/programs.hpp"
#include "lp/simplex.hpp"
#include "lp/slack_basis.hpp"

using pimbb::Rational;
using namespace pimbb::lp;

namespace {

constexpr auto kBasic = VariableStatus::basic;
constexpr auto kLower = VariableStatus::at_lower;

/// Half of the rows, those that are inequalities, become equations with a slack column.
LinearProgram with_slacks(LinearProgram program, testkit::Draw& draw) {
  for (RowIndex i; i.value() < program.rows(); ++i) {
    if (draw.next(2) == 0) continue;
    const Range range = program.range(i);
    const ColIndex slack = program.add_column(Rational(), range);
    program.add_entry(i, slack, Rational(-1));
    program.set_range(i, {Rational(0), Rational(0)});
  }
  return program;
}

}  // namespace

TEST_CASE("one slack column of each equation is basic, no others are") {
  LinearProgram program = testkit::program(
      "1 0 0 0 0", {{"2", "1 1 0 1 0", "2"}, {"", "1 0 1 0 0", "4"}, {"3", "1 0 0 0 5", "3"}});
  // Columns: costs, a slack of row 0, a slack of an inequality, another of row 0, one of row 2.
  const std::vector<VariableStatus> expected{kLower, kBasic, kLower, kLower,
                                             kBasic, kLower, kBasic, kLower};
  CHECK(slack_basis(program) == expected);
  program.set_range(ColIndex(4), {Rational(1), Rational(1)});  // a fixed column is none
  CHECK(slack_basis(program)[4] == kLower);
  CHECK(slack_basis(program)[7] == kBasic);
  program.set_cost(ColIndex(1), Rational(-1));  // neither is one with a cost
  CHECK(slack_basis(program)[1] == kLower);
  CHECK(slack_basis(program)[3] == kBasic);
  CHECK(slack_basis(LinearProgram()).empty());
}

TEST_CASE("the answer from a basis of slack columns is that of the exact simplex, and proven") {
  rc::check([] {
    const testkit::RandomSize size{*rc::gen::inRange(0, 7),
                                   *rc::gen::inRange(0, 8),
                                   *rc::gen::inRange(1, 4),
                                   *rc::gen::arbitrary<bool>(),
                                   true,
                                   *rc::gen::arbitrary<bool>()};
    testkit::Draw draw(*rc::gen::arbitrary<std::uint64_t>());
    const LinearProgram plain = testkit::random_program(draw, size);
    const testkit::ExactResult exact = testkit::solve_exactly(plain);
    const LinearProgram program = with_slacks(plain, draw);
    Simplex simplex(program);
    simplex.set_basis(slack_basis(program));
    const SimplexStatus status = simplex.solve();
    RC_ASSERT(status == exact.status);
    const Certificate certificate = certify(simplex, status);
    RC_ASSERT(certificate.is_proved);
    if (status == SimplexStatus::optimal) RC_ASSERT(*certificate.objective == exact.objective);
  });
}
