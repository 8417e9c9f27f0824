// Lifting, and the reconstruction of rational numbers.
#include "lp/exact_solve.hpp"

#include <cassert>

namespace pimbb::lp {
namespace {

constexpr int kMostDigits = 4096;

Modular residue(const Integer& value) {
  const Integer remainder = value % Modular::kPrime;  // of the sign of value
  const auto r = static_cast<std::int64_t>(remainder);
  return Modular(r < 0 ? r + Modular::kPrime : r);
}

/// The value modulo `modulus` of least size.
Integer balanced(Integer value, const Integer& modulus) {
  value %= modulus;
  if (2 * value > modulus) value -= modulus;
  if (2 * value < -modulus) value += modulus;
  return value;
}

struct Fraction {
  Integer numerator;
  Integer denominator;
};

/// n / d = value modulo `modulus` with |n| <= limit, by the extended Euclidean algorithm stopped
/// half way (Wang 1981).
Fraction reconstruct(const Integer& value, const Integer& modulus, const Integer& limit) {
  Integer a = modulus;
  Integer b = value < 0 ? Integer(value + modulus) : value;
  Integer s = 0;
  Integer t = 1;
  while (b > limit) {
    const Integer quotient = a / b;
    Integer next = a - quotient * b;
    a = std::move(b);
    b = std::move(next);
    next = s - quotient * t;
    s = std::move(t);
    t = std::move(next);
  }
  if (t < 0) return {-b, -t};
  return {b, t};
}

/// All entries over a common denominator; nothing if a denominator is too large to be certain.
std::optional<ExactVector> reconstruct(const std::vector<Integer>& values, const Integer& modulus) {
  const Integer limit = sqrt(Integer(modulus / 2));
  ExactVector out;
  for (const auto& value : values) {
    Integer numerator = balanced(value * out.denominator, modulus);
    if (abs(numerator) > limit) {
      const Fraction fraction = reconstruct(numerator, modulus, limit);
      if (fraction.denominator == 0 || fraction.denominator > limit) return std::nullopt;
      for (Integer& earlier : out.numerators) earlier *= fraction.denominator;
      out.denominator *= fraction.denominator;
      if (out.denominator > limit) return std::nullopt;
      numerator = fraction.numerator;
    }
    out.numerators.push_back(std::move(numerator));
  }
  return out;
}

}  // namespace

ExactSolver::ExactSolver(CompressedMatrix<Integer> matrix) : matrix_(std::move(matrix)) {
  CompressedMatrix<Modular> modular;
  modular.start = matrix_.start;
  modular.index = matrix_.index;
  for (const Integer& value : matrix_.value) modular.value.push_back(residue(value));
  lu_.factorize(modular);
}

/// M^-1 residual modulo p, as integers of least size.
ExactSolver::Digits ExactSolver::digits(const std::vector<Integer>& residual,
                                        bool transposed) const {
  const std::size_t size = residual.size();
  std::vector<Modular> work(size);
  for (std::size_t k = 0; k < size; ++k) {
    const int to = transposed ? lu_.row_of(static_cast<int>(k)) : static_cast<int>(k);
    work[to] = residue(residual[k]);
  }
  transposed ? lu_.btran(work) : lu_.ftran(work);
  Digits out(size);
  for (std::size_t k = 0; k < size; ++k) {
    const int from = transposed ? static_cast<int>(k) : lu_.row_of(static_cast<int>(k));
    out[k] = work[from].balanced();
  }
  return out;
}

template <class Number>
std::vector<Integer> ExactSolver::product(const std::vector<Number>& x, bool transposed) const {
  std::vector<Integer> out(x.size());
  for (int column = 0; column < matrix_.lines(); ++column) {
    for (int k = matrix_.start[column]; k < matrix_.start[column + 1]; ++k) {
      const int row = matrix_.index[k];
      if (x[transposed ? row : column] == 0) continue;
      out[transposed ? column : row] += matrix_.value[k] * x[transposed ? row : column];
    }
  }
  return out;
}

std::optional<ExactVector> ExactSolver::lift(const std::vector<Integer>& right,
                                             bool transposed) const {
  if (!is_regular()) return std::nullopt;
  std::vector<Integer> residual = right;
  std::vector<Integer> x(right.size());
  Integer modulus = 1;
  int next_try = 1;
  for (int count = 1; count <= kMostDigits; ++count) {
    const Digits digit = digits(residual, transposed);
    const std::vector<Integer> explained = product(digit, transposed);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (digit[k] != 0) x[k] += modulus * digit[k];
      residual[k] -= explained[k];
      assert(residual[k] % Modular::kPrime == 0);
      residual[k] /= Modular::kPrime;
    }
    modulus *= Modular::kPrime;
    if (count < next_try) continue;
    next_try = 2 * count;
    auto found = reconstruct(x, modulus);
    if (!found) continue;
    std::vector<Integer> check = product(found->numerators, transposed);
    bool is_right = true;
    for (std::size_t k = 0; k < check.size() && is_right; ++k) {
      is_right = check[k] == right[k] * found->denominator;
    }
    assert(found->denominator > 0);
    if (is_right) return found;
  }
  return std::nullopt;
}

std::optional<ExactVector> ExactSolver::solve(const std::vector<Integer>& right) const {
  return lift(right, false);
}

std::optional<ExactVector> ExactSolver::solve_transposed(const std::vector<Integer>& right) const {
  return lift(right, true);
}

}  // namespace pimbb::lp
