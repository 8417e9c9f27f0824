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
// Numbers are values or the integers that stand for them (value.hpp), and never negative.
#pragma once

#include <vector>

#include "search/value.hpp"

namespace pimbb::search {

/// A table that lies elsewhere.
template <class Number>
struct TableView {
  std::vector<std::size_t> variables;  ///< distinct; none: a constant
  const Number* first = nullptr;       ///< where all variables are 0
  std::vector<std::size_t> steps;      ///< for each variable, from one of its values to the next

  [[nodiscard]] const Number& at(const std::vector<std::size_t>& choice) const {
    const Number* place = first;
    for (std::size_t k = 0; k < variables.size(); ++k) place += choice[variables[k]] * steps[k];
    return *place;
  }
};

/// The value of every variable in a least sum; if that is infinite, any. `domains`: the number of
/// values of each variable, >= 1; `zero`: the empty sum. Among equal sums the choice depends only
/// on the order of variables and values. For Int128 and Value.
template <class Number>
std::vector<std::size_t> least_sum(const std::vector<std::size_t>& domains,
                                   std::vector<TableView<Number>> tables, const Number& zero);

}  // namespace pimbb::search
