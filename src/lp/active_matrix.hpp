// The active submatrix of Markowitz elimination: what is not yet eliminated (see sparse_lu.hpp).
//
// Rows hold their entries, columns only the list of their rows: elimination works row by row, and
// the values of a column are looked up in its rows. Rows and columns are also kept in doubly linked
// lists by their count; the search for a pivot begins with the smallest counts.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "lp/modular.hpp"
#include "lp/sparse.hpp"

namespace pimbb::lp {

/// Items 0 .. n-1, each in at most one list; a list for each count 0 .. n.
class CountLists {
 public:
  explicit CountLists(int items)
      : first_(static_cast<std::size_t>(items) + 1, -1),
        next_(static_cast<std::size_t>(items), -1),
        previous_(static_cast<std::size_t>(items), -1),
        count_(static_cast<std::size_t>(items), -1) {}

  void add(int item, int count);
  void remove(int item);
  void move(int item, int count) {
    if (count_[item] == count) return;
    remove(item);
    add(item, count);
  }
  [[nodiscard]] int first(int count) const { return first_[count]; }
  [[nodiscard]] int next(int item) const { return next_[item]; }

 private:
  std::vector<int> first_;
  std::vector<int> next_;
  std::vector<int> previous_;
  std::vector<int> count_;  // -1: in no list
};

struct PivotPosition {
  int row = -1;
  int column = -1;
};

template <class Number>
class ActiveMatrix {
 public:
  explicit ActiveMatrix(const CompressedMatrix<Number>& columns);

  /// The next pivot; nothing if no remaining entry can be one.
  [[nodiscard]] std::optional<PivotPosition> choose();

  /// Eliminates. The multipliers become a line of `lower` (by row), the rest of the pivot row a
  /// line of `upper` (by column). Returns the pivot.
  Number eliminate(PivotPosition position, CompressedMatrix<Number>& lower,
                   CompressedMatrix<Number>& upper);

 private:
  using Item = std::pair<int, Number>;  // column, value

  [[nodiscard]] double row_maximum(int row);
  void consider(int row, int column, double size, bool any_size);
  void search_column(int column);
  void search_row(int row);
  Number take(int row, int column);
  void subtract_pivot_row(int row, Number multiplier, const std::vector<Item>& pivot_row);
  void recount_row(int row);

  std::vector<std::vector<Item>> rows_;
  std::vector<std::vector<int>> columns_;
  CountLists row_lists_;
  CountLists column_lists_;
  std::vector<double> row_maximum_;  // negative: not known
  std::vector<Number> work_;         // the pivot row, scattered
  std::vector<bool> marked_;

  PivotPosition best_;
  double best_cost_ = 0;
  double best_size_ = 0;
};

extern template class ActiveMatrix<double>;
extern template class ActiveMatrix<Modular>;

}  // namespace pimbb::lp
