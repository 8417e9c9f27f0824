// Sparse triangular solves, pivots of count one, and a basis that is updated many times, against
// plain arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lp/bases.hpp"
#include "lp/programs.hpp"
#include "lp/singleton_pivots.hpp"
#include "lp/triangular_solve.hpp"
#include "lp/workspace.hpp"

using namespace pimbb::lp;
using testkit::Draw;

namespace {

std::vector<int> shuffled(Draw& draw, int size) {
  std::vector<int> out(static_cast<std::size_t>(size));
  for (int k = 0; k < size; ++k) out[k] = k;
  for (int k = size - 1; k > 0; --k) std::swap(out[k], out[draw.next(k + 1)]);
  return out;
}

/// Whether the list of a vector has every position that is not zero, and none twice.
bool is_listed(const SparseVector& x) {
  const std::set<int> listed(x.nonzero.begin(), x.nonzero.end());
  if (listed.size() != x.nonzero.size()) return false;
  for (int k = 0; k < static_cast<int>(x.value.size()); ++k) {
    if (x.value[k] != 0 && !listed.contains(k)) return false;
  }
  return true;
}

struct Triangle {
  std::vector<int> order;
  GrowingMatrix lines;
  std::vector<std::vector<double>> dense;  // dense[k][i]: entry i of line k
};

Triangle random_triangle(Draw& draw, int size, int one_entry_in) {
  Triangle out{shuffled(draw, size), {}, {}};
  out.dense.assign(static_cast<std::size_t>(size), std::vector<double>(size, 0.0));
  for (int first = 0; first < size; ++first) {
    for (int second = first + 1; second < size; ++second) {
      if (draw.next(one_entry_in) == 0) {
        out.dense[out.order[first]][out.order[second]] = draw.next(5) - 2;
      }
    }
  }
  CompressedMatrix<double> matrix;
  for (const std::vector<double>& line : out.dense) {
    for (int k = 0; k < size; ++k) {
      if (line[k] != 0) matrix.push(k, line[k]);
    }
    matrix.close_line();
  }
  out.lines.assign(matrix);
  return out;
}

}  // namespace

TEST_CASE("triangular systems are solved with and without a list") {
  int sparse = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const int size = 20 + draw.next(100);
    Triangle triangle = random_triangle(draw, size, 2 * size);
    triangle.order.push_back(-1);  // no position
    TriangularSolve solve(size);
    for (int trial = 0; trial < 10; ++trial) {
      std::vector<double> right(static_cast<std::size_t>(size), 0.0);
      for (int k = draw.next(4); k >= 0; --k) right[draw.next(size)] = draw.next(9) - 4;
      std::vector<double> expected = right;  // small integers: no rounding
      for (const int k : triangle.order) {
        if (k < 0) continue;
        expected[k] *= 2;
        for (int i = 0; i < size; ++i) expected[i] -= expected[k] * triangle.dense[k][i];
      }
      for (const bool with_list : {true, false}) {
        SparseVector x = testkit::listed(right);
        bool is_complete = with_list;
        solve(x, is_complete, triangle.order.begin(), triangle.order.end(), triangle.lines,
              [](int, double value) { return 2 * value; });
        CHECK(x.value == expected);
        if (is_complete) CHECK(is_listed(x));
        CHECK((with_list || !is_complete));
        sparse += is_complete ? 1 : 0;
      }
    }
  }
  CHECK(sparse > 30);
}

TEST_CASE("lines that grow and shrink hold what plain sets hold") {
  Draw draw(1);
  constexpr int kLines = 5;
  std::vector<std::set<int>> plain(kLines);
  CompressedMatrix<double> matrix;
  for (int line = 0; line < kLines; ++line) {
    matrix.push(line, line + 1.0);
    plain[line].insert(line);
    matrix.close_line();
  }
  GrowingMatrix lines;
  lines.assign(matrix);
  for (int step = 0; step < 2000; ++step) {
    const int line = draw.next(kLines);
    const int index = draw.next(60);
    if (draw.next(200) == 0) {
      lines.clear(line);
      plain[line].clear();
    } else if (plain[line].erase(index) > 0) {
      lines.remove(line, index);
    } else {
      lines.push(line, {index, index + 1.0});
      plain[line].insert(index);
    }
    std::size_t entries = 0;
    for (int k = 0; k < kLines; ++k) {
      std::set<int> found;
      for (auto item = lines.begin(k); item != lines.end(k); ++item) {
        CHECK(item->value == item->index + 1.0);
        found.insert(item->index);
      }
      REQUIRE(found == plain[k]);
      entries += found.size();
    }
    REQUIRE(lines.size() == entries);
  }
}

TEST_CASE("a permuted triangle has no kernel, and a kernel no line of count one") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const int size = 1 + draw.next(30);
    const bool triangle = draw.next(2) == 0;
    const std::vector<int> rows = shuffled(draw, size);
    const std::vector<int> places = shuffled(draw, size);
    CompressedMatrix<double> matrix;
    for (const int place : places) {
      for (int k = 0; k < size; ++k) {
        const bool beside = triangle ? k > place : k != place;
        if (k == place || (beside && draw.next(4) == 0)) matrix.push(rows[k], 1 + draw.next(5));
      }
      matrix.close_line();
    }
    const SingletonPivots<double> pivots(matrix);
    if (triangle) CHECK(pivots.kernel_columns().empty());
    CHECK(pivots.kernel_columns().size() == pivots.kernel_rows().size());
    CHECK(pivots.pivots().size() + pivots.kernel_rows().size() == static_cast<std::size_t>(size));
    CHECK(pivots.lower().lines() == static_cast<int>(pivots.pivots().size()));
    CHECK(pivots.upper().lines() == static_cast<int>(pivots.pivots().size()));
    const CompressedMatrix<double> kernel = pivots.kernel();
    const CompressedMatrix<double> by_row = transposed(kernel, kernel.lines());
    for (int line = 0; line < kernel.lines(); ++line) {
      CHECK(kernel.start[line + 1] - kernel.start[line] != 1);
      CHECK(by_row.start[line + 1] - by_row.start[line] != 1);
    }
  }
}

namespace {

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) out = std::max(out, std::fabs(a[k] - b[k]));
  return out;
}

void check_solutions(Workspace& work, const std::vector<double>& right) {
  SparseVector x = testkit::listed(right);
  work.factor.ftran(x);
  CHECK(is_listed(x));
  CHECK(largest_difference(testkit::basis_times(work, x.value, false), right) < 1e-6);
  SparseVector y = testkit::listed(right);
  work.factor.btran(y);
  CHECK(is_listed(y));
  CHECK(largest_difference(testkit::basis_times(work, y.value, true), right) < 1e-6);
}

/// The row of the largest entry, -1 if all are small.
int pivot_row_of(const SparseVector& column) {
  int row = 0;
  for (int r = 1; r < static_cast<int>(column.value.size()); ++r) {
    if (std::fabs(column.value[r]) > std::fabs(column.value[row])) row = r;
  }
  return std::fabs(column.value[row]) < 0.2 ? -1 : row;
}

}  // namespace

TEST_CASE("solutions are those of the basis after a hundred exchanges") {
  int most = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const int rows = 60 + 40 * draw.next(3);
    const ScaledProgram scaled(
        testkit::random_program(draw, {rows, 2 * rows, rows / 3, true, true, false}));
    Workspace work(scaled);
    work.refactorize();
    SparseVector column(rows);
    SparseVector inverse_row(rows);
    for (int step = 0; step < 150; ++step) {
      const int v = draw.next(scaled.columns);
      if (work.status[v] == VariableStatus::basic) continue;
      work.column(v, column);
      CHECK(is_listed(column));
      const int row = pivot_row_of(column);
      if (row < 0) continue;
      if (draw.next(2) == 0) work.inverse_row(row, inverse_row);  // remembered, or not
      const int leaving = work.basic[row];
      work.exchange(row, v,
                    std::isfinite(work.lower(leaving))   ? VariableStatus::at_lower
                    : std::isfinite(work.upper(leaving)) ? VariableStatus::at_upper
                                                         : VariableStatus::at_zero,
                    column);
      most = std::max(most, work.factor.updates());
      std::vector<double> right(static_cast<std::size_t>(rows), 0.0);
      right[draw.next(rows)] = 1;
      check_solutions(work, right);
      if (step % 10 == 0) {
        for (double& value : right) value = draw.next(9) - 4;
        check_solutions(work, right);
      }
    }
    CHECK(work.is_basis_consistent());
  }
  CHECK(most > 60);
}

TEST_CASE("a row times the matrix, whether few or many entries are met") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const ScaledProgram scaled(testkit::random_program(draw, {40, 200, 12, false, true, false}));
    const Workspace work(scaled);
    SparseVector product(scaled.variables());
    for (const int one_in : {1, 2, 40}) {
      std::vector<double> row(40, 0.0);
      for (double& value : row) value = draw.next(one_in) == 0 ? draw.next(5) - 2 : 0;
      std::vector<double> expected(static_cast<std::size_t>(scaled.variables()), 0.0);
      for (int v = 0; v < scaled.variables(); ++v) {
        scaled.for_each_entry(v, [&](int r, double value) { expected[v] += value * row[r]; });
      }
      work.price(testkit::listed(row), product);
      CHECK(is_listed(product));
      CHECK(largest_difference(product.value, expected) < 1e-12);
    }
  }
}
