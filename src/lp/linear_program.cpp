// Building a linear program.
#include "lp/linear_program.hpp"

#include <algorithm>
#include <stdexcept>

namespace pimbb::lp {

RowIndex LinearProgram::add_row(Range activity, std::string name) {
  rows_.push_back({std::move(activity), std::move(name)});
  return RowIndex(rows() - 1);
}

ColIndex LinearProgram::add_column(Rational cost, Range values, std::string name) {
  columns_.push_back({std::move(cost), std::move(values), std::move(name), {}});
  return ColIndex(columns() - 1);
}

void LinearProgram::add_entry(RowIndex row, ColIndex column, Rational value) {
  if (row.value() < 0 || row.value() >= rows()) {
    throw std::out_of_range("row " + std::to_string(row.value()) + " of a linear program");
  }
  std::vector<Entry>& entries = column_at(column).entries;
  const auto at = std::ranges::lower_bound(entries, row, {}, &Entry::row);
  if (at != entries.end() && at->row == row) {
    at->value += value;
  } else {
    entries.insert(at, {row, std::move(value)});
  }
}

std::size_t LinearProgram::entries() const {
  std::size_t count = 0;
  for (const Column& column : columns_) count += column.entries.size();
  return count;
}

}  // namespace pimbb::lp
