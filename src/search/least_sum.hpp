// The least sum of functions of a few variables each, by variable elimination.
//
// Variables have small finite domains. Functions (tables) depend on one or two variables and form a
// graph: variables are vertices, a table over two variables is an edge. The variables are
// eliminated one after the other: the tables of the variable are added and minimised over it, which
// gives one table over its neighbours. In reverse order, every variable then takes the value that
// attains the minimum. Time and memory grow with domain^(width + 1), where the width is the largest
// number of neighbours: 1 on a chain, 2 on a chain of residual blocks. Variables with few
// neighbours are eliminated first.
//
// Values are lists of rationals, added term by term and compared lexicographically. This order is
// total and compatible with addition, as the argument requires. If the numbers allow it, each list
// is encoded as one integer with the same sums and comparisons, which is a hundred times faster.
#pragma once

#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb::search {

/// One number for each goal, in order of importance; or infinite, which means infeasible.
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

/// `domains`: the number of values of each variable, >= 1; `zero`: the empty sum. Among equal sums
/// the choice depends only on the order of variables and values.
LeastSum least_sum(const std::vector<std::size_t>& domains, const std::vector<Table>& tables,
                   const Value& zero);

}  // namespace pimbb::search
