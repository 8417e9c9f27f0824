// Linear programs for tests: short to write, or random.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lp/format/mixed_integer_program.hpp"

namespace testkit {

/// A range from texts: "" is no bound, "1/3" one third.
pimbb::lp::Range range(const std::string& lower, const std::string& upper);

struct RowText {
  std::string lower;
  std::string coefficients;  ///< one a column, between blanks
  std::string upper;
};

/// Columns are 0 .. infinity.
pimbb::lp::LinearProgram program(const std::string& costs, const std::vector<RowText>& rows);

/// The dual of minimise c x, A x <= b, x >= 0: minimise b y, A^T y >= -c, y >= 0, whose optimum is
/// the negative. What makes the primal simplex cycle on one makes the dual simplex cycle on the
/// other.
pimbb::lp::LinearProgram dual(const pimbb::lp::LinearProgram& program);

/// Draws: next(n) is some integer in 0 .. n-1.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  int next(int n);

 private:
  std::uint64_t state_;
};

struct RandomSize {
  int rows = 6;
  int columns = 7;
  int one_entry_in = 2;   ///< density
  bool bounded = false;   ///< all columns have two finite bounds
  bool fractions = true;  ///< entries such as 1/3 that no double holds
  bool feasible = false;  ///< ranges of rows hold at a point within those of the columns
};

pimbb::lp::LinearProgram random_program(Draw& draw, const RandomSize& size);
pimbb::lp::Range random_range(Draw& draw, bool bounded);
pimbb::Rational random_number(Draw& draw);  ///< of few digits; a quarter of them thirds

/// The first thing in which two programs differ; empty if they are the same. Rows are compared in
/// their order, columns by name; entries of 0 count as none, remarks do not count.
std::string difference(const pimbb::lp::MixedIntegerProgram& a,
                       const pimbb::lp::MixedIntegerProgram& b);

}  // namespace testkit
