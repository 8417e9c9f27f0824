// A mapping, and for each loop and tensor what is transferred there: the terms of the model, each
// computed from the whole list of loops.
#pragma once

#include <string>
#include <vector>

#include "problem.hpp"

namespace pimbb_check::cim {

struct Loop {
  std::size_t dim = 0;
  std::int64_t factor = 2;
  PerTensor<std::size_t> level{};
};

class Nest {
 public:
  /// Throws a Refusal unless the text is in normal form.
  Nest(const Problem& p, const std::string& text);
  /// Throws a Refusal unless the mapping is feasible and keeps the restrictions of the question.
  void check_feasible() const;

  [[nodiscard]] const Problem& problem() const { return p_; }
  [[nodiscard]] std::size_t size() const { return loops_.size(); }
  [[nodiscard]] const Loop& loop(std::size_t i) const { return loops_[i]; }
  [[nodiscard]] std::int64_t products() const;
  [[nodiscard]] std::int64_t cores() const;
  [[nodiscard]] bool doubled(std::size_t m, std::size_t t) const { return doubled_[m][t]; }

  [[nodiscard]] bool used(std::size_t m, std::size_t t) const;
  /// The used level nearest inside, or kMac.
  [[nodiscard]] std::size_t next(std::size_t m, std::size_t t) const;
  /// The outermost and the innermost used level; kMac without loops.
  [[nodiscard]] std::size_t outermost(std::size_t t) const {
    return loops_.empty() ? kMac : loops_.front().level[t];
  }
  [[nodiscard]] std::size_t innermost(std::size_t t) const {
    return loops_.empty() ? kMac : loops_.back().level[t];
  }
  [[nodiscard]] bool psum(std::size_t m) const;
  [[nodiscard]] std::int64_t precision(std::size_t m, std::size_t t) const {
    return p_.bits_of(t, t == kOutput && psum(m));
  }
  /// Bits in one instance of a level, and of one transfer out of it.
  [[nodiscard]] Rational data_bits(std::size_t m, std::size_t t) const {
    return Rational(elements(m, t, true)) * precision(m, t);
  }
  [[nodiscard]] Rational tile_bits(std::size_t m, std::size_t t) const {
    return Rational(elements(m, t, false)) * precision(m, t);
  }
  [[nodiscard]] std::int64_t instances(std::size_t m, std::size_t t) const;
  /// Of the whole tensor, in its final precision.
  [[nodiscard]] Rational whole_bits(std::size_t t) const;

  /// Whether a loop has its tensor's transfer.
  [[nodiscard]] bool transfers(std::size_t i, std::size_t t) const;
  /// Its time in cycles; 0 if it has none.
  [[nodiscard]] Rational time(std::size_t i, std::size_t t) const;
  /// How often it fires.
  [[nodiscard]] std::int64_t fires(std::size_t i) const;
  /// Whether the tile inside the loop's level is doubled.
  [[nodiscard]] bool hidden(std::size_t i, std::size_t t) const;
  /// Time past the DRAM, if the tensor bypasses it.
  [[nodiscard]] Rational boot(std::size_t t) const;

 private:
  [[nodiscard]] std::int64_t elements(std::size_t m, std::size_t t, bool with_level) const;
  [[nodiscard]] Factors unrolled() const;
  void check_factors() const;
  void check_levels() const;
  void check_doubling() const;
  void check_capacity() const;

  const Problem& p_;
  std::vector<Factors> spatial_;  // of each axis
  std::vector<Loop> loops_;       // outermost first
  std::vector<Flags> doubled_;    // of each level
};

}  // namespace pimbb_check::cim
