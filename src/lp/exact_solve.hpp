// Exact solutions of square integer systems M x = b by p-adic lifting (Dixon 1982).
//
// M is factorized once modulo the prime p = 2^61 - 1, by the same sparse LU as the doubles. Then x
// is computed digit by digit to the base p; each digit takes one solve modulo p and one exact
// residual:
//
//     r_0 = b,    d_k = M^-1 r_k mod p,    r_(k+1) = (r_k - M d_k) / p,    x = sum d_k p^k mod p^K.
//
// Residuals stay as small as M, so a digit costs about as much as a floating-point solve. For K =
// 1, 2, 4, ... the rational numbers of small numerator and denominator that agree with x modulo p^K
// are reconstructed, over a common denominator, and *checked* in M x = b: a result that is returned
// is always right. Optimal bases of the small Netlib instances take 1 to 128 digits, mostly 2, and
// milliseconds (grow7: 0.1 s).
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <vector>

#include "lp/sparse_lu.hpp"

namespace pimbb::lp {

using Integer = boost::multiprecision::cpp_int;

/// x_i = numerators[i] / denominator, denominator > 0.
struct ExactVector {
  std::vector<Integer> numerators;
  Integer denominator = 1;
};

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
  [[nodiscard]] Digits digits(const std::vector<Integer>& residual, bool transposed) const;
  template <class Number>
  [[nodiscard]] std::vector<Integer> product(const std::vector<Number>& x, bool transposed) const;
  [[nodiscard]] std::optional<ExactVector> lift(const std::vector<Integer>& right,
                                                bool transposed) const;

  CompressedMatrix<Integer> matrix_;
  SparseLu<Modular> lu_;
};

}  // namespace pimbb::lp
