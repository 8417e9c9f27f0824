// One step of the simplex: the basis after many changes, and the ratio tests, by hand. The simplex
// recovers from mistakes in them, so that its answers show none.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "lp/bases.hpp"
#include "lp/dual_ratio_test.hpp"
#include "lp/primal_ratio_test.hpp"
#include "lp/programs.hpp"

using pimbb::Rational;
using namespace pimbb::lp;
using testkit::Draw;

namespace {

bool agree(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (std::fabs(a[k] - b[k]) > 1e-7) return false;
  }
  return a.size() == b.size();
}

/// A status that the variable can have outside of the basis.
VariableStatus some_bound(const Workspace& work, int v) {
  if (std::isfinite(work.lower(v))) return VariableStatus::at_lower;
  return std::isfinite(work.upper(v)) ? VariableStatus::at_upper : VariableStatus::at_zero;
}

/// One row of at most 10, one of at most 4, and a column 0 .. `most`.
LinearProgram two_limits(const std::string& most) {
  LinearProgram out = testkit::program("1", {{"", "1", "10"}, {"", "1", "4"}});
  out.set_range(ColIndex(0), testkit::range("0", most));
  return out;
}

}  // namespace

TEST_CASE("solutions are those of the basis as it is after each change") {
  int exchanges = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const ScaledProgram scaled(testkit::random_program(draw, {6, 9, 2, false, true, false}));
    Workspace work(scaled);
    work.refactorize();
    SparseVector column(scaled.rows);
    for (int v = 0; v < scaled.columns; ++v) {
      work.column(v, column);
      int row = 0;
      for (int r = 1; r < scaled.rows; ++r) {
        if (std::fabs(column.value[r]) > std::fabs(column.value[row])) row = r;
      }
      if (std::fabs(column.value[row]) < 0.2 || work.status[v] == VariableStatus::basic) continue;
      work.exchange(row, v, some_bound(work, work.basic[row]), column);
      ++exchanges;
      std::vector<double> right;
      for (int r = 0; r < scaled.rows; ++r) right.push_back(draw.next(9) - 4);
      SparseVector x = testkit::listed(right);
      work.factor.ftran(x);
      CHECK(agree(testkit::basis_times(work, x.value, false), right));
      SparseVector y = testkit::listed(right);
      work.factor.btran(y);
      CHECK(agree(testkit::basis_times(work, y.value, true), right));
    }
    CHECK(work.is_basis_consistent());
  }
  CHECK(exchanges > 50);
}

TEST_CASE("the entering variable stops at the nearest limit") {
  const auto step_of = [](const std::string& most, const std::vector<double>& column) {
    const ScaledProgram scaled(two_limits(most));
    return primal_ratio_test(Workspace(scaled), 0, testkit::listed(column), 1.0, false);
  };
  for (const double speed : {1.0, 2.0}) {  // the first row's is further even then: 10 / 2
    const PrimalStep step = step_of("", {-speed, -1});
    CHECK(step.kind == PrimalStep::Kind::exchange);
    CHECK(step.row == 1);
    CHECK(step.length == 4);
    CHECK(step.leaving_status == VariableStatus::at_upper);
  }
  CHECK(step_of("", {-4, -1}).row == 0);
  CHECK(step_of("", {1, 0}).kind == PrimalStep::Kind::unbounded);  // falls without limit
  CHECK(step_of("5", {-1, -1}).kind == PrimalStep::Kind::exchange);
  for (const std::string most : {"3", "4"}) {
    const PrimalStep step = step_of(most, {-1, -1});
    CHECK(step.kind == PrimalStep::Kind::flip);
    CHECK(step.length == std::stod(most));
  }
  CHECK(step_of("7", {1, 0}).kind == PrimalStep::Kind::flip);
}

TEST_CASE("of equal break points the largest pivot enters, and the others may be shifted") {
  const ScaledProgram scaled(testkit::program("1 2 4", {{"", "1 1 1", "9"}}));
  Workspace work(scaled);
  work.reduced = {1, 2, 4, 0};
  DualRatioTest test(work);
  CHECK(test.choose(testkit::listed({1, 2, 4, 0}), 1.0, 1.0, false) == 2);
  CHECK(test.flips().empty());
  CHECK(test.shift_candidates() == std::vector<int>{0, 1});
  CHECK(test.choose(testkit::listed({1, 2, 4, 0}), -1.0, 1.0, false) == -1);
  CHECK(test.choose(testkit::listed({1, 2, 4, 0}), 1.0, 1.0, true) == 0);
}

TEST_CASE("boxed variables are passed while the violation lasts") {
  LinearProgram boxed = testkit::program("1 6", {{"", "1 2", "9"}});
  boxed.set_range(ColIndex(0), testkit::range("0", "1"));
  const ScaledProgram scaled(boxed);
  Workspace work(scaled);
  work.reduced = {1, 6, 0};  // break points 1 and 3
  DualRatioTest test(work);
  CHECK(test.choose(testkit::listed({1, 2, 0}), 1.0, 5.0, false) == 1);
  CHECK(test.flips() == std::vector<int>{0});
  CHECK(test.choose(testkit::listed({1, 2, 0}), 1.0, 0.5, false) == 0);
  CHECK(test.flips().empty());
}

namespace {

struct BreakPoint {
  int variable;
  double size;
  double ratio;
};

struct Choice {
  int entering = -1;
  std::set<int> flips;
  std::set<int> others;  // of the group of the entering variable
};

/// The rule of dual_ratio_test.hpp, word by word.
Choice choice_by_definition(std::vector<BreakPoint> left, const Workspace& work, double slope) {
  std::vector<std::vector<BreakPoint>> groups;
  double largest_of_all = 0;
  while (slope > work.tolerance) {
    if (left.empty()) return {};
    double limit = 1e300;
    for (const BreakPoint& b : left) limit = std::min(limit, b.ratio + work.tolerance / b.size);
    std::vector<BreakPoint> group;
    std::vector<BreakPoint> rest;
    for (const BreakPoint& b : left) (b.ratio <= limit ? group : rest).push_back(b);
    for (const BreakPoint& b : group) {
      slope -= b.size * work.range(b.variable);
      largest_of_all = std::max(largest_of_all, b.size);
    }
    groups.push_back(group);
    left = rest;
  }
  const auto largest = [](const std::vector<BreakPoint>& group) {
    return *std::ranges::max_element(group, [](const BreakPoint& a, const BreakPoint& b) {
      return std::tie(a.size, b.ratio, b.variable) < std::tie(b.size, a.ratio, a.variable);
    });
  };
  while (largest(groups.back()).size < std::min(0.1 * largest_of_all, 1.0)) groups.pop_back();
  Choice out;
  out.entering = largest(groups.back()).variable;
  for (const BreakPoint& b : groups.back()) {
    if (b.variable != out.entering) out.others.insert(b.variable);
  }
  groups.pop_back();
  for (const auto& group : groups) {
    for (const BreakPoint& b : group) out.flips.insert(b.variable);
  }
  return out;
}

}  // namespace

TEST_CASE("the groups of break points are those of the definition, few or many") {
  std::size_t most_flips = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const int columns = 1 + draw.next(60);
    LinearProgram boxes;
    boxes.add_row({Rational(0), Rational(1)});
    for (int j = 0; j < columns; ++j) {
      const bool boxed = draw.next(20) != 0;
      boxes.add_column(Rational(0),
                       {Rational(0), boxed ? Bound(Rational(1 + draw.next(3))) : Bound()});
    }
    const ScaledProgram scaled(boxes);
    Workspace work(scaled);
    std::vector<double> row(static_cast<std::size_t>(columns) + 1, 0.0);
    std::vector<BreakPoint> left;
    for (int j = 0; j < columns; ++j) {
      row[j] = (1 + draw.next(40)) / 16.0;
      work.reduced[j] =
          draw.next(12) * row[j] + draw.next(3) * 1e-10;  // many that are nearly equal
      left.push_back({j, row[j], work.reduced[j] / row[j]});
    }
    const double slope = 0.5 + draw.next(100);
    const Choice expected = choice_by_definition(left, work, slope);
    DualRatioTest test(work);
    CHECK(test.choose(testkit::listed(row), 1.0, slope, false) == expected.entering);
    if (expected.entering < 0) continue;
    CHECK(std::set<int>(test.flips().begin(), test.flips().end()) == expected.flips);
    CHECK(std::set<int>(test.shift_candidates().begin(), test.shift_candidates().end()) ==
          expected.others);
    most_flips = std::max(most_flips, expected.flips.size());
  }
  CHECK(most_flips > 20);
}
