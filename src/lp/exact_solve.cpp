// Lifting, digit by digit, and the check of what was reconstructed.
#include "lp/exact_solve.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "exact/int128.hpp"
#include "lp/padic_digits.hpp"

namespace pimbb::lp {
namespace {

constexpr int kMostDigits = 4096;
constexpr unsigned kNarrowBits = 62;  // of the sum of a line of M
constexpr unsigned kRightBits = 122;  // of an entry of the right-hand side; a product has as many

Modular residue(const Integer& value) {
  const Integer remainder = value % Modular::kPrime;  // of the sign of value
  const auto r = static_cast<std::int64_t>(remainder);
  return Modular(r < 0 ? r + Modular::kPrime : r);
}

/// 2^61 = 1 modulo p: the digits to the base 2^61 are summed.
Modular residue(Int128 value) {
  const auto size = static_cast<UInt128>(value < 0 ? -value : value);
  const auto mask = static_cast<UInt128>(Modular::kPrime);
  UInt128 sum = (size & mask) + ((size >> 61) & mask) + (size >> 122);
  sum = (sum & mask) + (sum >> 61);
  auto r = static_cast<std::int64_t>(sum);
  if (r >= Modular::kPrime) r -= Modular::kPrime;
  return Modular(value < 0 && r != 0 ? Modular::kPrime - r : r);
}

void divide_exactly(Integer& value) {
  assert(value % Modular::kPrime == 0);
  value /= Modular::kPrime;
}

/// Modulo 2^128, (2^61 - 1) (1 + 2^61 + 2^122) = -1: the inverse of p.
void divide_exactly(Int128& value) {
  assert(value % Modular::kPrime == 0);
  const auto v = static_cast<UInt128>(value);
  value = static_cast<Int128>(UInt128{0} - (v + (v << 61) + (v << 122)));
}

bool has_narrow_sums(const CompressedMatrix<Integer>& matrix) {
  std::vector<Integer> sums(static_cast<std::size_t>(matrix.lines()));
  for (std::size_t k = 0; k < matrix.size(); ++k) sums[matrix.index[k]] += abs(matrix.value[k]);
  for (int column = 0; column < matrix.lines(); ++column) {
    Integer sum = 0;
    for (int k = matrix.start[column]; k < matrix.start[column + 1]; ++k) {
      sum += abs(matrix.value[k]);
    }
    sums.push_back(std::move(sum));
  }
  return std::ranges::all_of(sums,
                             [](const Integer& sum) { return sum == 0 || msb(sum) < kNarrowBits; });
}

template <class Number>
std::vector<Number> converted(const std::vector<Integer>& values) {
  std::vector<Number> out;
  out.reserve(values.size());
  for (const Integer& value : values) out.push_back(static_cast<Number>(value));
  return out;
}

}  // namespace

ExactSolver::ExactSolver(CompressedMatrix<Integer> matrix) : matrix_(std::move(matrix)) {
  if (has_narrow_sums(matrix_)) {
    narrow_.start = matrix_.start;
    narrow_.index = matrix_.index;
    narrow_.value = converted<std::int64_t>(matrix_.value);
  }
  CompressedMatrix<Modular> modular;
  modular.start = matrix_.start;
  modular.index = matrix_.index;
  for (const Integer& value : matrix_.value) modular.value.push_back(residue(value));
  lu_.factorize(modular);
}

template <>
const CompressedMatrix<Integer>& ExactSolver::matrix<Integer>() const {
  return matrix_;
}

template <>
const CompressedMatrix<std::int64_t>& ExactSolver::matrix<std::int64_t>() const {
  return narrow_;
}

/// M^-1 residual modulo p, as integers of least size.
template <class Number>
ExactSolver::Digits ExactSolver::digits(const std::vector<Number>& residual,
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
void ExactSolver::reduce(std::vector<Number>& residual, const Digits& digit,
                         bool transposed) const {
  using Coefficient = std::conditional_t<std::is_same_v<Number, Int128>, std::int64_t, Integer>;
  const CompressedMatrix<Coefficient>& m = matrix<Coefficient>();
  for (int column = 0; column < m.lines(); ++column) {
    if (!transposed && digit[column] == 0) continue;
    for (int k = m.start[column]; k < m.start[column + 1]; ++k) {
      const int row = m.index[k];
      const int from = transposed ? row : column;
      residual[transposed ? column : row] -= Number(m.value[k]) * digit[from];
    }
  }
  for (Number& r : residual) divide_exactly(r);
}

/// Whether M times the numerators is the denominator times the right-hand side.
bool ExactSolver::is_solution(const ExactVector& x, const std::vector<Integer>& right,
                              bool transposed) const {
  std::vector<Integer> difference;
  difference.reserve(right.size());
  for (const Integer& value : right) difference.emplace_back(value * x.denominator);
  const bool narrow = narrow_.lines() == matrix_.lines();
  Integer term;
  for (int column = 0; column < matrix_.lines(); ++column) {
    for (int k = matrix_.start[column]; k < matrix_.start[column + 1]; ++k) {
      const Integer& value = x.numerators[transposed ? matrix_.index[k] : column];
      if (value == 0) continue;
      if (narrow) {
        term = value * narrow_.value[k];
      } else {
        term = value * matrix_.value[k];
      }
      difference[transposed ? column : matrix_.index[k]] -= term;
    }
  }
  return std::ranges::all_of(difference, [](const Integer& value) { return value == 0; });
}

template <class Number>
std::optional<ExactVector> ExactSolver::lift(const std::vector<Integer>& right,
                                             bool transposed) const {
  std::vector<Number> residual = converted<Number>(right);
  PadicDigits x(right.size());
  for (int next_trial = 1; x.count() < kMostDigits;) {
    Digits digit = digits(residual, transposed);
    reduce(residual, digit, transposed);
    x.push(std::move(digit));
    if (x.count() < next_trial) continue;
    next_trial = x.count() + std::max(1, x.count() / 4);
    auto found = x.reconstruct();
    if (found && is_solution(*found, right, transposed)) return found;
  }
  return std::nullopt;
}

std::optional<ExactVector> ExactSolver::lift(const std::vector<Integer>& right,
                                             bool transposed) const {
  if (!is_regular()) return std::nullopt;
  const bool narrow =
      narrow_.lines() == matrix_.lines() && std::ranges::all_of(right, [](const Integer& value) {
        return value == 0 || msb(Integer(abs(value))) < kRightBits;
      });
  return narrow ? lift<Int128>(right, transposed) : lift<Integer>(right, transposed);
}

std::optional<ExactVector> ExactSolver::solve(const std::vector<Integer>& right) const {
  return lift(right, false);
}

std::optional<ExactVector> ExactSolver::solve_transposed(const std::vector<Integer>& right) const {
  return lift(right, true);
}

}  // namespace pimbb::lp
