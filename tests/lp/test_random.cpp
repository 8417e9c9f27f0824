// Properties over random programs: the simplex against the exact yardstick, and what its
// certificates prove.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "lp/certificate.hpp"
#include "lp/exact_simplex.hpp"
#include "lp/programs.hpp"
#include "lp/safe_bound.hpp"
#include "lp/simplex.hpp"

using pimbb::Rational;
using namespace pimbb::lp;

namespace {

bool is_close(double a, double b, double relative) {
  return std::fabs(a - b) <= relative * std::max({1.0, std::fabs(a), std::fabs(b)});
}

testkit::RandomSize small_size(bool bounded) {
  return {
      *rc::gen::inRange(0, 7),    *rc::gen::inRange(0, 8), *rc::gen::inRange(1, 4), bounded, true,
      *rc::gen::arbitrary<bool>()};
}

LinearProgram small_program(bool bounded) {
  const testkit::RandomSize size = small_size(bounded);
  testkit::Draw draw(*rc::gen::arbitrary<std::uint64_t>());
  return testkit::random_program(draw, size);
}

/// The three guards against cycling, each on its own, and all together.
SimplexOptions some_options() {
  const int kind = *rc::gen::inRange(0, 4);
  return {kind == 0 || kind == 1, kind == 1 || kind == 2 ? 0 : 40, kind == 3};
}

void check_against(const testkit::ExactResult& exact, const Simplex& simplex,
                   SimplexStatus status) {
  RC_ASSERT(status == exact.status);
  const Certificate certificate = certify(simplex, status);
  RC_ASSERT(certificate.is_proved);
  if (status != SimplexStatus::optimal) return;
  RC_ASSERT(*certificate.objective == exact.objective);
  RC_ASSERT(is_close(simplex.objective(), exact.objective.to_double(), 1e-9));
}

}  // namespace

TEST_CASE("status and optimum are those of exact arithmetic, and proved") {
  CHECK(rc::check([] {
    const LinearProgram program = small_program(*rc::gen::arbitrary<bool>());
    Simplex simplex(program, some_options());
    check_against(testkit::solve_exactly(program), simplex, simplex.solve());
  }));
}

TEST_CASE("with bounded columns the rounded duals alone give a bound close to the optimum") {
  CHECK(rc::check([] {
    const LinearProgram program = small_program(true);
    Simplex simplex(program);
    const SimplexStatus status = simplex.solve();
    const SafeBound safe(program);
    if (status == SimplexStatus::infeasible) {
      RC_ASSERT(safe.proves_infeasible(std::span<const double>(simplex.infeasibility_ray())));
      return;
    }
    RC_ASSERT(status == SimplexStatus::optimal);
    const auto bound = safe.lower_bound(std::span<const double>(simplex.multipliers()));
    const Rational optimum = testkit::solve_exactly(program).objective;
    RC_ASSERT(bound.has_value());
    RC_ASSERT(*bound <= optimum);
    RC_ASSERT(is_close(bound->to_double(), optimum.to_double(), 1e-6));
  }));
}

TEST_CASE("any multipliers give a true bound, and none proves a feasible program infeasible") {
  CHECK(rc::check([] {
    const LinearProgram program = small_program(*rc::gen::arbitrary<bool>());
    std::vector<double> multipliers;
    for (int i = 0; i < program.rows(); ++i) {
      multipliers.push_back(*rc::gen::inRange(-1000, 1000) * 0.013);
    }
    const auto exact = testkit::solve_exactly(program);
    const SafeBound safe(program);
    const std::span<const double> view(multipliers);
    if (exact.status != SimplexStatus::infeasible) RC_ASSERT(!safe.proves_infeasible(view));
    const auto bound = safe.lower_bound(view);
    if (exact.status == SimplexStatus::unbounded) RC_ASSERT(!bound.has_value());
    if (exact.status == SimplexStatus::optimal && bound) RC_ASSERT(*bound <= exact.objective);
  }));
}

TEST_CASE("after ranges have changed, the warm start ends where a cold one does") {
  CHECK(rc::check([] {
    const bool bounded = *rc::gen::arbitrary<bool>();
    Simplex warm(small_program(bounded), some_options());
    testkit::Draw draw(*rc::gen::arbitrary<std::uint64_t>());
    warm.solve();
    for (int change = 0; change < 4; ++change) {
      if (warm.program().columns() > 0) {
        warm.set_range(ColIndex(draw.next(warm.program().columns())),
                       testkit::random_range(draw, bounded));
      }
      if (warm.program().rows() > 0 && draw.next(3) == 0) {
        warm.set_range(RowIndex(draw.next(warm.program().rows())),
                       testkit::random_range(draw, false));
      }
      check_against(testkit::solve_exactly(warm.program()), warm, warm.solve());
    }
  }));
}

namespace {

std::vector<NewColumn> random_columns(testkit::Draw& draw, int rows, bool bounded) {
  std::vector<NewColumn> columns(static_cast<std::size_t>(draw.next(3)));
  for (NewColumn& column : columns) {
    column = {Rational(draw.next(9) - 5), testkit::random_range(draw, bounded), {}};
    for (int i = 0; i < rows; ++i) {
      if (draw.next(2) == 0) column.entries.push_back({RowIndex(i), testkit::random_number(draw)});
    }
  }
  return columns;
}

std::vector<NewRow> random_rows(testkit::Draw& draw, int columns) {
  std::vector<NewRow> rows(static_cast<std::size_t>(draw.next(3)));
  for (NewRow& row : rows) {
    row.activity = testkit::random_range(draw, false);
    for (int j = 0; j < columns; ++j) {
      if (draw.next(2) == 0) row.entries.push_back({ColIndex(j), testkit::random_number(draw)});
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("after columns and rows have been added, the warm start ends where a cold one does") {
  CHECK(rc::check([] {
    const bool bounded = *rc::gen::arbitrary<bool>();
    Simplex warm(small_program(bounded), some_options());
    testkit::Draw draw(*rc::gen::arbitrary<std::uint64_t>());
    for (int change = 0; change < 4; ++change) {
      if (draw.next(4) != 0) warm.solve();
      warm.add_columns(random_columns(draw, warm.program().rows(), bounded));
      if (draw.next(2) == 0) warm.add_rows(random_rows(draw, warm.program().columns()));
      const auto exact = testkit::solve_exactly(warm.program());
      check_against(exact, warm, warm.solve());
      Simplex cold(warm.program());
      check_against(exact, cold, cold.solve());
    }
  }));
}

TEST_CASE("larger programs end proved, whatever their status") {
  int seen[3] = {0, 0, 0};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    testkit::Draw draw(seed);
    const int rows = 10 + draw.next(50);
    Simplex simplex(testkit::random_program(draw, {rows, 10 + draw.next(90), 3 + draw.next(20),
                                                   draw.next(2) == 0, true, draw.next(4) != 0}));
    const SimplexStatus status = simplex.solve();
    REQUIRE(status != SimplexStatus::limit);
    REQUIRE(status != SimplexStatus::numerical_failure);
    ++seen[static_cast<int>(status)];
    CHECK(certify(simplex, status).is_proved);
  }
  CHECK(seen[0] > 0);
  CHECK(seen[1] > 0);
  CHECK(seen[2] > 0);
}
