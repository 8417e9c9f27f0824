// The least sum of functions of a few variables each: variable elimination.
//
// Variables have small finite domains. Functions (tables) are over one or two of them, and form a
// graph: variables are vertices, a table over two is an edge. One variable after the other is
// eliminated: the tables that mention it are added up and minimised over it, which leaves one table
// over its neighbours. Backwards, every variable then takes the value that attained the minimum.
// Time and memory grow with domain^(width + 1), width being the most neighbours at a time: 1 on a
// chain, 2 on a chain of residual blocks. Variables with few neighbours go first.
//
// Values are lists of rationals, added term by term and compared lexicographically: that order is
// total and respects addition, which is all that the argument needs. Where the numbers allow it,
// each list becomes one integer, whose sums and comparisons are the same and a hundred times
// faster.
#pragma once

#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb::search {

/// One number per goal, in order of importance; or infinite: impossible.
class Value {
 public:
  Value() : infinite_(true) {}
  explicit Value(std::vector<Rational> goals) : goals_(std::move(goals)) {}

  [[nodiscard]] bool infinite() const { return infinite_; }
  [[nodiscard]] const std::vector<Rational>& goals() const { return goals_; }
  Value& operator+=(const Value& other);
  friend Value operator+(Value a, const Value& b) { return a += b; }
  friend bool operator==(const Value& a, const Value& b) = default;
  friend bool operator<(const Value& a, const Value& b);

 private:
  bool infinite_ = false;
  std::vector<Rational> goals_;
};

template <class Number>
struct TableOf {
  std::vector<std::size_t> variables;  ///< distinct; none: a constant
  std::vector<Number> values;          ///< row-major over their domains
};
using Table = TableOf<Value>;

struct LeastSum {
  Value value;
  std::vector<std::size_t> choice;  ///< of every variable; empty if the value is infinite
};

/// `domains`: how many values each variable has, >= 1; `zero`: the sum of nothing. Among equal sums
/// one is chosen by the order of variables and values alone.
LeastSum least_sum(const std::vector<std::size_t>& domains, const std::vector<Table>& tables,
                   const Value& zero);

}  // namespace pimbb::search
