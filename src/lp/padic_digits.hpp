// The digits of a vector of rational numbers to the base p = 2^61 - 1, and the numbers that they
// determine: the second half of Dixon's method (exact_solve.hpp).
//
// A rational n / d modulo p^K is determined by K digits if |n| and d are at most sqrt(p^K / 2). The
// entries of a solution have a common denominator, by Cramer's rule, and mostly need nearly all of
// it: once one entry has been reconstructed by Euclid's algorithm, the others take a multiplication
// each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lp/exact_vector.hpp"

namespace pimbb::lp {

class PadicDigits {
 public:
  explicit PadicDigits(std::size_t size) : size_(size) {}

  /// The next digit of each entry, in -p/2 .. p/2.
  void push(std::vector<std::int64_t> digit);
  /// Digits of each entry.
  [[nodiscard]] int count() const { return static_cast<int>(digits_.size()); }

  /// Rational numbers that agree with the digits; nothing if these are too few for one of them.
  /// They may be wrong: the digits may be too few without showing it.
  [[nodiscard]] std::optional<ExactVector> reconstruct();

 private:
  [[nodiscard]] Integer number(std::size_t entry, int first, int last) const;
  [[nodiscard]] Integer power(int exponent);

  std::size_t size_;
  std::vector<std::vector<std::int64_t>> digits_;  // by place, then by entry
  std::vector<Integer> powers_;                    // p to the power 2^k
  std::size_t hardest_ = 0;                        // the entry for which the digits did not suffice
};

}  // namespace pimbb::lp
