// Choosing a pivot by Markowitz's rule, and one step of elimination.
#include "lp/active_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "lp/tolerances.hpp"

namespace pimbb::lp {
namespace {

constexpr double kThreshold = 0.1;  // of the row's largest entry
constexpr int kLinesSearched = 4;

}  // namespace

void CountLists::add(int item, int count) {
  assert(count_[item] < 0 && 0 <= count && count < static_cast<int>(first_.size()));
  count_[item] = count;
  previous_[item] = -1;
  next_[item] = first_[count];
  if (first_[count] >= 0) previous_[first_[count]] = item;
  first_[count] = item;
}

void CountLists::remove(int item) {
  if (count_[item] < 0) return;
  if (previous_[item] >= 0) {
    next_[previous_[item]] = next_[item];
  } else {
    first_[count_[item]] = next_[item];
  }
  if (next_[item] >= 0) previous_[next_[item]] = previous_[item];
  count_[item] = -1;
}

template <class Number>
ActiveMatrix<Number>::ActiveMatrix(const CompressedMatrix<Number>& columns)
    : rows_(static_cast<std::size_t>(columns.lines())),
      columns_(static_cast<std::size_t>(columns.lines())),
      row_lists_(columns.lines()),
      column_lists_(columns.lines()),
      row_maximum_(static_cast<std::size_t>(columns.lines()), -1.0),
      work_(static_cast<std::size_t>(columns.lines())),
      marked_(static_cast<std::size_t>(columns.lines()), false) {
  const int size = columns.lines();
  for (int column = 0; column < size; ++column) {
    for (int k = columns.start[column]; k < columns.start[column + 1]; ++k) {
      if (magnitude(columns.value[k]) < kDrop) continue;
      rows_[columns.index[k]].emplace_back(column, columns.value[k]);
      columns_[column].push_back(columns.index[k]);
    }
  }
  for (int line = size - 1; line >= 0; --line) {
    row_lists_.add(line, static_cast<int>(rows_[line].size()));
    column_lists_.add(line, static_cast<int>(columns_[line].size()));
  }
}

template <class Number>
double ActiveMatrix<Number>::row_maximum(int row) {
  if (row_maximum_[row] < 0) {
    double largest = 0;
    for (const Item& item : rows_[row]) largest = std::max(largest, magnitude(item.second));
    row_maximum_[row] = largest;
  }
  return row_maximum_[row];
}

/// Makes an entry the best one so far if it is large enough and causes less fill-in (or as much,
/// and is larger).
template <class Number>
void ActiveMatrix<Number>::consider(int row, int column, double size, bool any_size) {
  if (size < kSmallestPivot || (!any_size && size < kThreshold * row_maximum(row))) return;
  const double cost = (static_cast<double>(rows_[row].size()) - 1) *
                      (static_cast<double>(columns_[column].size()) - 1);
  if (cost > best_cost_ || (cost == best_cost_ && size <= best_size_)) return;
  best_ = {row, column};
  best_cost_ = cost;
  best_size_ = size;
}

template <class Number>
void ActiveMatrix<Number>::search_column(int column) {
  const bool alone = columns_[column].size() == 1;  // nothing to eliminate, hence no growth
  for (const int row : columns_[column]) {
    const auto item = std::ranges::find(rows_[row], column, &Item::first);
    assert(item != rows_[row].end());
    consider(row, column, magnitude(item->second), alone);
  }
}

template <class Number>
void ActiveMatrix<Number>::search_row(int row) {
  for (const Item& item : rows_[row]) consider(row, item.first, magnitude(item.second), false);
}

template <class Number>
std::optional<PivotPosition> ActiveMatrix<Number>::choose() {
  best_ = {};
  best_cost_ = kInfinity;
  best_size_ = 0;
  int searched = 0;
  const auto enough = [&](int count) {
    return best_.row >= 0 && (++searched >= kLinesSearched ||
                              best_cost_ <= static_cast<double>(count - 1) * (count - 1));
  };
  for (int count = 1; count <= static_cast<int>(rows_.size()); ++count) {
    for (int c = column_lists_.first(count); c >= 0; c = column_lists_.next(c)) {
      search_column(c);
      if (enough(count)) return best_;
    }
    for (int r = row_lists_.first(count); r >= 0; r = row_lists_.next(r)) {
      search_row(r);
      if (enough(count)) return best_;
    }
  }
  if (best_.row < 0) return std::nullopt;
  return best_;
}

/// Removes an entry from its row (not from its column) and returns it.
template <class Number>
Number ActiveMatrix<Number>::take(int row, int column) {
  std::vector<Item>& items = rows_[row];
  const auto item = std::ranges::find(items, column, &Item::first);
  assert(item != items.end());
  const Number value = item->second;
  *item = items.back();
  items.pop_back();
  return value;
}

template <class Number>
void ActiveMatrix<Number>::recount_row(int row) {
  row_maximum_[row] = -1.0;
  row_lists_.move(row, static_cast<int>(rows_[row].size()));
}

/// Row -= multiplier * pivot row; the pivot row is also scattered in work_.
template <class Number>
void ActiveMatrix<Number>::subtract_pivot_row(int row, Number multiplier,
                                              const std::vector<Item>& pivot_row) {
  std::vector<Item>& items = rows_[row];
  for (std::size_t k = 0; k < items.size();) {
    const int column = items[k].first;
    if (magnitude(work_[column]) == 0) {
      ++k;
      continue;
    }
    marked_[column] = true;
    items[k].second -= multiplier * work_[column];
    if (magnitude(items[k].second) < kDrop) {
      std::erase(columns_[column], row);
      items[k] = items.back();
      items.pop_back();
    } else {
      ++k;
    }
  }
  for (const auto& [column, value] : pivot_row) {
    if (!marked_[column]) {
      const Number fill = Number() - multiplier * value;
      if (magnitude(fill) >= kDrop) {
        items.emplace_back(column, fill);
        columns_[column].push_back(row);
      }
    }
    marked_[column] = false;
  }
}

template <class Number>
Number ActiveMatrix<Number>::eliminate(PivotPosition position, CompressedMatrix<Number>& lower,
                                       CompressedMatrix<Number>& upper) {
  const Number pivot = take(position.row, position.column);
  const Number pivot_divisor = divisor(pivot);
  const std::vector<Item> pivot_row = std::move(rows_[position.row]);
  rows_[position.row].clear();
  row_lists_.remove(position.row);
  column_lists_.remove(position.column);
  for (const auto& [column, value] : pivot_row) {
    upper.push(column, value);
    work_[column] = value;
    std::erase(columns_[column], position.row);
  }
  for (const int row : columns_[position.column]) {
    if (row == position.row) continue;
    const Number multiplier = divided(take(row, position.column), pivot_divisor);
    lower.push(row, multiplier);
    if (!pivot_row.empty()) subtract_pivot_row(row, multiplier, pivot_row);
    recount_row(row);
  }
  columns_[position.column].clear();
  for (const auto& [column, value] : pivot_row) {
    work_[column] = Number();
    column_lists_.move(column, static_cast<int>(columns_[column].size()));
  }
  lower.close_line();
  upper.close_line();
  return pivot;
}

template class ActiveMatrix<double>;
template class ActiveMatrix<Modular>;

}  // namespace pimbb::lp
