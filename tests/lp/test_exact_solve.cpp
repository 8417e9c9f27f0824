// Exact solutions of integer systems, put into the system: small numbers, and numbers that no few
// digits to the base of the prime determine, so that the first reconstructions are wrong.
#include <doctest/doctest.h>

#include "lp/exact_solve.hpp"
#include "lp/programs.hpp"

using namespace pimbb::lp;
using testkit::Draw;

namespace {

using Matrix = std::vector<std::vector<Integer>>;  // by column

Integer random_integer(Draw& draw, int bits) {
  Integer value = 0;
  for (int k = 0; k < bits; ++k) value = 2 * value + draw.next(2);
  return draw.next(2) == 0 ? value : Integer(-value);
}

/// Regular: a lower triangle with a diagonal of at least 1.
Matrix random_integers(Draw& draw, int size, int bits) {
  Matrix matrix(size, std::vector<Integer>(size));
  for (int column = 0; column < size; ++column) {
    for (int row = column; row < size; ++row) {
      if (row == column || draw.next(2) == 0) matrix[column][row] = random_integer(draw, bits);
    }
    if (matrix[column][column] == 0) matrix[column][column] = 1;
  }
  return matrix;
}

ExactSolver solver_of(const Matrix& matrix) {
  CompressedMatrix<Integer> sparse;
  for (const auto& column : matrix) {
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (column[row] != 0) sparse.push(static_cast<int>(row), column[row]);
    }
    sparse.close_line();
  }
  return ExactSolver(std::move(sparse));
}

/// Whether M x = b, or its transpose.
bool solves(const Matrix& matrix, const ExactVector& x, const std::vector<Integer>& right,
            bool transposed) {
  for (std::size_t i = 0; i < right.size(); ++i) {
    Integer sum = 0;
    for (std::size_t k = 0; k < right.size(); ++k) {
      sum += (transposed ? matrix[i][k] : matrix[k][i]) * x.numerators[k];
    }
    if (sum != right[i] * x.denominator) return false;
  }
  return x.denominator > 0;
}

}  // namespace

TEST_CASE("what is returned solves the system, however large its numbers") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Draw draw(seed);
    const int size = 1 + draw.next(6);
    const Matrix matrix = random_integers(draw, size, 1 + draw.next(70));
    const int bits = 1 + draw.next(300);
    std::vector<Integer> right;
    for (int k = 0; k < size; ++k) right.push_back(random_integer(draw, bits));
    const ExactSolver solver = solver_of(matrix);
    REQUIRE(solver.is_regular());
    const auto x = solver.solve(right);
    REQUIRE(x.has_value());
    CHECK(solves(matrix, *x, right, false));
    const auto y = solver.solve_transposed(right);
    REQUIRE(y.has_value());
    CHECK(solves(matrix, *y, right, true));
  }
}

TEST_CASE("entries of dozens of digits over a common denominator") {
  for (const int bits : {3, 20, 58, 66}) {
    CAPTURE(bits);
    Draw draw(static_cast<std::uint64_t>(bits));
    const Matrix matrix = random_integers(draw, 40, bits);
    std::vector<Integer> right;
    for (int k = 0; k < 40; ++k) right.push_back(random_integer(draw, 30));
    const ExactSolver solver = solver_of(matrix);
    for (const bool transposed : {false, true}) {
      const auto x = transposed ? solver.solve_transposed(right) : solver.solve(right);
      REQUIRE(x.has_value());
      CHECK(solves(matrix, *x, right, transposed));
    }
  }
}

TEST_CASE("a single number of many digits") {
  const ExactSolver solver = solver_of({{1}});
  Integer value = 1;
  for (int k = 0; k < 40; ++k) {
    value = 1'000'003 * value + k;
    const auto x = solver.solve({value});
    REQUIRE(x.has_value());
    CHECK(x->numerators[0] == value * x->denominator);
  }
}
