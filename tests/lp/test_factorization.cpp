// The LU factorization over doubles and modulo a prime, and exact solutions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <list>

#include "lp/active_matrix.hpp"
#include "lp/exact_solve.hpp"
#include "lp/modular.hpp"
#include "lp/programs.hpp"
#include "lp/sparse_lu.hpp"

using namespace pimbb::lp;
using testkit::Draw;

namespace {

/// Small integers; `one_in` sets the density off the diagonal, which is shuffled and never zero.
CompressedMatrix<int> random_pattern(Draw& draw, int size, int one_in) {
  std::vector<int> diagonal(size);
  for (int k = 0; k < size; ++k) diagonal[k] = k;
  for (int k = size - 1; k > 0; --k) std::swap(diagonal[k], diagonal[draw.next(k + 1)]);
  CompressedMatrix<int> out;
  for (int column = 0; column < size; ++column) {
    for (int row = 0; row < size; ++row) {
      if (row == diagonal[column]) {
        out.push(row, 3 + draw.next(7));
      } else if (draw.next(one_in) == 0) {
        out.push(row, 1 + draw.next(3));
      }
    }
    out.close_line();
  }
  return out;
}

template <class Number>
CompressedMatrix<Number> converted(const CompressedMatrix<int>& matrix) {
  CompressedMatrix<Number> out;
  out.start = matrix.start;
  out.index = matrix.index;
  for (const int value : matrix.value) out.value.push_back(Number(value));
  return out;
}

/// M x, or M^T x.
template <class Number>
std::vector<Number> product(const CompressedMatrix<int>& matrix, const std::vector<Number>& x,
                            bool transposed) {
  std::vector<Number> out(x.size());
  for (int column = 0; column < matrix.lines(); ++column) {
    for (int k = matrix.start[column]; k < matrix.start[column + 1]; ++k) {
      const int row = matrix.index[k];
      out[transposed ? column : row] += Number(matrix.value[k]) * x[transposed ? row : column];
    }
  }
  return out;
}

std::vector<double> solve(const SparseLu<double>& lu, const std::vector<double>& right,
                          bool transposed) {
  std::vector<double> work(right.size());
  std::vector<double> out(right.size());
  for (int k = 0; k < static_cast<int>(right.size()); ++k) {
    work[transposed ? lu.row_of(k) : k] = right[k];
  }
  transposed ? lu.btran(work) : lu.ftran(work);
  for (int k = 0; k < static_cast<int>(right.size()); ++k) {
    out[k] = work[transposed ? k : lu.row_of(k)];
  }
  return out;
}

}  // namespace

TEST_CASE("solutions over doubles satisfy their equations") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const int size = 1 + draw.next(60);
    const CompressedMatrix<int> matrix = random_pattern(draw, size, 2 + draw.next(size + 5));
    SparseLu<double> lu;
    lu.factorize(converted<double>(matrix));
    if (!lu.replaced().empty()) continue;
    std::vector<double> x(static_cast<std::size_t>(size));
    for (double& value : x) value = draw.next(19) - 9;
    for (const bool transposed : {false, true}) {
      const std::vector<double> right = product(matrix, x, transposed);
      const std::vector<double> found = solve(lu, right, transposed);
      const std::vector<double> back = product(matrix, found, transposed);
      for (int k = 0; k < size; ++k) CHECK(back[k] == doctest::Approx(right[k]).epsilon(1e-8));
    }
  }
}

TEST_CASE("dependent columns are replaced by logicals of rows that have no pivot") {
  CompressedMatrix<double> matrix;  // columns (1, 1, 0), (2, 2, 0), (0, 0, 0)
  for (const double value : {1.0, 2.0}) {
    matrix.push(0, value);
    matrix.push(1, value);
    matrix.close_line();
  }
  matrix.close_line();
  SparseLu<double> lu;
  lu.factorize(matrix);
  REQUIRE(lu.replaced().size() == 2);
  // What is left is regular: solve with the repaired columns and multiply back.
  std::vector<std::vector<double>> columns{{1, 1, 0}, {2, 2, 0}, {0, 0, 0}};
  for (const auto& [position, row] : lu.replaced()) {
    columns[position] = {0, 0, 0};
    columns[position][row] = -1;
  }
  const std::vector<double> right{5, -3, 2};
  const std::vector<double> x = solve(lu, right, false);
  for (int row = 0; row < 3; ++row) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += columns[k][row] * x[k];
    CHECK(sum == doctest::Approx(right[row]));
  }
}

TEST_CASE("lists by count hold what plain lists hold") {
  constexpr int kItems = 9;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Draw draw(seed);
    CountLists lists(kItems);
    std::vector<std::list<int>> plain(kItems + 1);  // the latest first
    const auto in_list = [&](int item) {
      return std::ranges::any_of(
          plain, [&](const auto& list) { return std::ranges::count(list, item) != 0; });
    };
    for (int step = 0; step < 200; ++step) {
      const int item = draw.next(kItems);
      const int count = draw.next(kItems + 1);
      const bool was_in = in_list(item);
      if (draw.next(3) == 0) {
        lists.remove(item);
        for (auto& list : plain) list.remove(item);
      } else {
        if (std::ranges::count(plain[static_cast<std::size_t>(count)], item) == 0) {
          for (auto& list : plain) list.remove(item);
          plain[static_cast<std::size_t>(count)].push_front(item);
        }
        was_in ? lists.move(item, count) : lists.add(item, count);
      }
      for (int k = 0; k <= kItems; ++k) {
        std::list<int> found;
        for (int i = lists.first(k); i >= 0; i = lists.next(i)) found.push_back(i);
        REQUIRE(found == plain[static_cast<std::size_t>(k)]);
      }
    }
  }
}

TEST_CASE("an arrow is factorized without new entries") {
  // A full first row and column, and a diagonal: any other first pivot fills nothing.
  const int size = 20;
  CompressedMatrix<double> matrix;
  for (int column = 0; column < size; ++column) {
    for (int row = 0; row < size; ++row) {
      if (row == 0 || column == 0) matrix.push(row, row == column ? 50 : 2);
      if (row == column && row > 0) matrix.push(row, 1);
    }
    matrix.close_line();
  }
  SparseLu<double> lu;
  lu.factorize(matrix);
  CHECK(lu.replaced().empty());
  CHECK(lu.lower().size() + lu.upper().size() == matrix.size() - size);  // pivots are kept apart
}

TEST_CASE("a small entry is no pivot where it would drown the others") {
  // The least fill-in is that of the entry of 1e-10; with it nine digits would be lost.
  CompressedMatrix<double> matrix;
  const double rows[4][4] = {{1e-10, 1, 0, 0}, {1, 1, 1, 1}, {0, 1, 2, 1}, {0, 1, 1, 3}};
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) {
      if (rows[row][column] != 0) matrix.push(row, rows[row][column]);
    }
    matrix.close_line();
  }
  SparseLu<double> lu;
  lu.factorize(matrix);
  const std::vector<double> x = solve(lu, {1, 2, 3, 4}, false);
  for (int row = 0; row < 4; ++row) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += rows[row][k] * x[static_cast<std::size_t>(k)];
    CHECK(sum == doctest::Approx(row + 1).epsilon(1e-13));
  }
}

TEST_CASE("arithmetic modulo 2^61 - 1") {
  const Modular a(Modular::kPrime - 5);
  const Modular b(123456789012345);
  CHECK(a.balanced() == -5);
  CHECK((a * b).balanced() == -5 * std::int64_t{123456789012345});
  CHECK((Modular(7) - Modular(9)).balanced() == -2);
  CHECK(b / b == Modular(1));
  CHECK(b / a * a == b);
  CHECK(a * a == Modular(25));
}

TEST_CASE("exact solutions are exact") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const int size = 1 + draw.next(40);
    const CompressedMatrix<int> matrix = random_pattern(draw, size, 2 + draw.next(6));
    const ExactSolver solver(converted<Integer>(matrix));
    if (!solver.is_regular()) continue;
    std::vector<Integer> right;
    for (int k = 0; k < size; ++k) right.emplace_back(draw.next(2001) - 1000);
    for (const bool transposed : {false, true}) {
      const auto x = transposed ? solver.solve_transposed(right) : solver.solve(right);
      REQUIRE(x.has_value());
      CHECK(x->denominator > 0);
      const std::vector<Integer> back = product(matrix, x->numerators, transposed);
      for (int k = 0; k < size; ++k) CHECK(back[k] == right[k] * x->denominator);
    }
  }
}

TEST_CASE("an exact solution with numbers far beyond a word") {
  // Bidiagonal: x_k = (1 - x_(k-1)) / 10^9, so that the last denominator is 10^108.
  CompressedMatrix<Integer> matrix;
  const int size = 12;
  for (int k = 0; k < size; ++k) {
    matrix.push(k, Integer(1000000000));
    if (k + 1 < size) matrix.push(k + 1, Integer(1));
    matrix.close_line();
  }
  const ExactSolver solver(matrix);
  const auto x = solver.solve(std::vector<Integer>(size, Integer(1)));
  REQUIRE(x.has_value());
  CHECK(x->denominator == pow(Integer(10), 108));
  CHECK(x->numerators[0] * 1000000000 == x->denominator);
}

TEST_CASE("a singular matrix has no exact solution") {
  CompressedMatrix<Integer> matrix;
  for (int k = 0; k < 2; ++k) {
    matrix.push(0, Integer(k + 1));
    matrix.push(1, Integer(2 * k + 2));
    matrix.close_line();
  }
  const ExactSolver solver(matrix);
  CHECK_FALSE(solver.is_regular());
  CHECK_FALSE(solver.solve({Integer(1), Integer(2)}).has_value());
}
