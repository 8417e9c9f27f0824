// A linear program in exact numbers:
//
//     minimise    c x
//     subject to  row_lower <= A x <= row_upper      (one range a row)
//                     lower <=   x <= upper          (one range a column)
//
// Every number is an exact rational, every bound may be infinite. The simplex works on a copy in
// doubles (scaled_program.hpp), but what is *proved* about a program (safe_bound.hpp) is proved
// about these numbers: 0.1 is one tenth, not the nearest double. The objective has no constant and
// is always minimised; the reader of a file that maximises negates its costs.
//
// Building takes linear time if the entries of a column come by ascending row; an entry takes 40
// bytes, and more if its number is no fraction of 64-bit integers.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <vector>

#include "lp/index.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::lp {

/// A bound; nothing means that there is none.
using Bound = std::optional<Rational>;

/// What a column's value or a row's activity may be. An empty range (lower > upper) is allowed and
/// makes the program infeasible: branching can produce one.
struct Range {
  Bound lower;
  Bound upper;

  [[nodiscard]] bool is_empty() const { return lower && upper && *upper < *lower; }
};

struct Entry {
  RowIndex row;
  Rational value;
};

class LinearProgram {
 public:
  RowIndex add_row(Range activity, std::string name = {});
  ColIndex add_column(Rational cost, Range values, std::string name = {});
  /// Adds `value` to the coefficient of `column` in `row`.
  void add_entry(RowIndex row, ColIndex column, Rational value);

  void set_range(RowIndex row, Range activity) { row_at(row).range = std::move(activity); }
  void set_range(ColIndex column, Range values) { column_at(column).range = std::move(values); }
  void set_cost(ColIndex column, Rational cost) { column_at(column).cost = std::move(cost); }

  [[nodiscard]] int rows() const { return static_cast<int>(rows_.size()); }
  [[nodiscard]] int columns() const { return static_cast<int>(columns_.size()); }
  [[nodiscard]] std::size_t entries() const;

  [[nodiscard]] const Range& range(RowIndex row) const { return row_at(row).range; }
  [[nodiscard]] const Range& range(ColIndex column) const { return column_at(column).range; }
  [[nodiscard]] const Rational& cost(ColIndex column) const { return column_at(column).cost; }
  /// The entries of a column by ascending row. An entry may be 0.
  [[nodiscard]] const std::vector<Entry>& entries(ColIndex column) const {
    return column_at(column).entries;
  }
  [[nodiscard]] const std::string& name(RowIndex row) const { return row_at(row).name; }
  [[nodiscard]] const std::string& name(ColIndex column) const { return column_at(column).name; }

 private:
  struct Row {
    Range range;
    std::string name;
  };
  struct Column {
    Rational cost;
    Range range;
    std::string name;
    std::vector<Entry> entries;
  };
  template <class Tag>
  static std::size_t at(Index<Tag> index) {
    return static_cast<std::size_t>(index.value());
  }
  Row& row_at(RowIndex index) { return rows_.at(at(index)); }
  Column& column_at(ColIndex index) { return columns_.at(at(index)); }
  [[nodiscard]] const Row& row_at(RowIndex index) const {
    assert(at(index) < rows_.size());
    return rows_[at(index)];
  }
  [[nodiscard]] const Column& column_at(ColIndex index) const {
    assert(at(index) < columns_.size());
    return columns_[at(index)];
  }

  std::vector<Row> rows_;
  std::vector<Column> columns_;
};

}  // namespace pimbb::lp
