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
// Tables change, but only in two ways, after which little has to be computed again. A number is
// raised, or a value of a variable is split: a new one, the last, begins with the same numbers in
// all tables. After both, minima that were found before are still lower bounds. So a minimum is
// found anew only where the choice of values comes by, from what is known of those it is made of;
// then the ones that its best value uses are found anew in turn, and if one of them is higher than
// was known, the minimum once more. When none is, the sum of the best value is exact, those of the
// others are not below it, and those before it are above it: it is the first that attains the
// minimum, as if all minima had been found anew. And a minimum that was exact stays so until a
// number that it is made of is raised: one of the tables of its own step, or of the steps whose
// results these are. (A split raises none.)
//
// Numbers that are only supposed can be taken back (undo_log.hpp): then all is as it was before.
//
// Numbers are values or the integers that stand for them (value.hpp), and never negative.
#pragma once

#include <cstdint>
#include <vector>

#include "search/growing_table.hpp"
#include "search/undo_log.hpp"
#include "search/value.hpp"

namespace pimbb::search {

/// For Int128 and Value.
template <class Number>
class LeastSum {
 public:
  struct Table {
    std::vector<std::size_t> variables;  ///< distinct; none: a constant
    std::vector<Number> numbers;         ///< row-major over their domains
  };

  /// `domains`: the number of values of each variable, >= 1. `zero`: the empty sum; `infinite`: no
  /// sum is above it.
  LeastSum(std::vector<std::size_t> domains, std::vector<Table> tables, Number zero,
           Number infinite);

  /// A number that is not below the one before, where the table's variables have the values
  /// `place`.
  void raise(std::size_t table, const std::vector<std::size_t>& place, Number number);
  /// Numbers that are raised from now on are supposed ones. No value is split meanwhile.
  void suppose() { before_suppositions_.suppose(); }
  /// The first supposition is true.
  void confirm() { before_suppositions_.confirm(); }
  /// Takes all suppositions back.
  void retract() { before_suppositions_.retract(); }
  /// A new value of a variable, the last, like a given one.
  void split(std::size_t variable, std::size_t value);

  /// The value of every variable in a least sum; if that is infinite, any. Among equal sums it
  /// depends only on the order of variables and values.
  std::vector<std::size_t> choice();
  [[nodiscard]] const Number& number(std::size_t table,
                                     const std::vector<std::size_t>& choice) const;

 private:
  using Place = std::vector<std::size_t>;

  /// A table, or what is left of several after the elimination of a variable.
  struct Source {
    Place variables;
    GrowingTable<Number> numbers;
    std::size_t step = ~std::size_t{0};  ///< that it is an input of; or none
  };
  /// The best value of a variable, and for which choice it was last found.
  struct Attained {
    std::uint32_t value = 0;
    std::uint32_t choice = 0;
  };
  struct Step {
    std::size_t variable = 0;
    std::vector<std::size_t> inputs;  ///< sources that mention it
    std::size_t result = 0;           ///< the source over its neighbours
    std::uint32_t raised = 0;  ///< the choices made when a number of its minima was last raised
    GrowingTable<Attained> attains{{}};  ///< by their values
  };
  /// The numbers of a source along the variable that is eliminated.
  struct Line {
    const Number* first;
    std::size_t step;
  };

  void eliminate(std::size_t variable, std::vector<std::size_t>& open);
  void raised(const Source& source);
  [[nodiscard]] std::size_t offset_in(const Step& step) const;
  bool settle(Step& step);
  bool find(Step& step, std::size_t offset);
  std::size_t least(const std::vector<Line>& lines, std::size_t length, Number& best);

  std::vector<std::size_t> domains_;
  Number zero_;
  Number infinite_;
  std::size_t tables_;
  std::vector<Source> sources_;  // the tables, and then one for each step
  std::vector<Step> steps_;
  std::uint32_t choices_ = 0;
  UndoLog<Number, Attained, std::uint32_t> before_suppositions_;
  // While something is computed; they keep their memory.
  Place values_;  // of variables
  std::vector<Line> lines_;
  Number sum_{};
};

}  // namespace pimbb::search
