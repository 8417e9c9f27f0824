// Exact solutions of square integer systems M x = b by p-adic lifting (Dixon 1982).
//
// M is factorized once modulo the prime p = 2^61 - 1, by the same sparse LU as the doubles. Then x
// is computed digit by digit to the base p; each digit takes one solve modulo p and one exact
// residual:
//
//     r_0 = b,    d_k = M^-1 r_k mod p,    r_(k+1) = (r_k - M d_k) / p,    x = sum d_k p^k mod p^K.
//
// Residuals stay as small as M, so a digit costs about as much as a floating-point solve: as long
// as the sums of |M| over a line are below 2^62, products and residuals are integers of 128 bits.
// For K = 1, 2, ..., 8, 10, 12, 15, ... the rational numbers of small numerator and denominator
// that agree with x modulo p^K are reconstructed, over a common denominator, and *checked* in M x =
// b: a result that is returned is always right. The entry for which the digits did not suffice
// comes first the next time, so that a trial in vain takes one reconstruction. Optimal bases of the
// small Netlib instances take 1 to 128 digits, mostly 2.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lp/exact_vector.hpp"
#include "lp/sparse_lu.hpp"

namespace pimbb::lp {

class ExactSolver {
 public:
  /// Each line of `matrix` is a column of M.
  explicit ExactSolver(CompressedMatrix<Integer> matrix);

  /// False if M is singular (or, with a probability of about 2^-61, singular modulo p only).
  [[nodiscard]] bool is_regular() const { return lu_.replaced().empty(); }

  /// M x = b. Nothing if entries of the solution need more than some hundred thousand bits.
  [[nodiscard]] std::optional<ExactVector> solve(const std::vector<Integer>& right) const;
  /// M^T y = c.
  [[nodiscard]] std::optional<ExactVector> solve_transposed(
      const std::vector<Integer>& right) const;

 private:
  using Digits = std::vector<std::int64_t>;
  template <class Number>
  [[nodiscard]] Digits digits(const std::vector<Number>& residual, bool transposed) const;
  /// residual = (residual - M digit) / p
  template <class Number>
  void reduce(std::vector<Number>& residual, const Digits& digit, bool transposed) const;
  [[nodiscard]] bool is_solution(const ExactVector& x, const std::vector<Integer>& right,
                                 bool transposed) const;
  template <class Number>
  [[nodiscard]] std::optional<ExactVector> lift(const std::vector<Integer>& right,
                                                bool transposed) const;
  [[nodiscard]] std::optional<ExactVector> lift(const std::vector<Integer>& right,
                                                bool transposed) const;
  template <class Number>
  [[nodiscard]] const CompressedMatrix<Number>& matrix() const;

  CompressedMatrix<Integer> matrix_;
  CompressedMatrix<std::int64_t> narrow_;  // the same, empty if its sums are too large
  SparseLu<Modular> lu_;
};

}  // namespace pimbb::lp
