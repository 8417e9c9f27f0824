// From exact numbers to scaled doubles.
#include "lp/scaled_program.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "lp/tolerances.hpp"

namespace pimbb::lp {
namespace {

constexpr int kGeometricPasses = 4;
constexpr double kWellScaled = 8.0;
constexpr double kLargestCost = 1024.0;
constexpr double kLeastSize = 1e-100;
constexpr double kLargestSize = 1e100;

double power_of_two_near(double value) { return std::exp2(std::round(std::log2(value))); }

struct Extent {
  double least = kInfinity;
  double largest = 0;
  void take(double size) {
    least = std::min(least, size);
    largest = std::max(largest, size);
  }
  [[nodiscard]] bool empty() const { return largest == 0; }
};

/// Extents of the lines, each entry multiplied by the scale of its cross position.
std::vector<Extent> extents(const CompressedMatrix<double>& matrix,
                            const std::vector<double>& cross_scale) {
  std::vector<Extent> all(static_cast<std::size_t>(matrix.lines()));
  for (int line = 0; line < matrix.lines(); ++line) {
    for (int k = matrix.start[line]; k < matrix.start[line + 1]; ++k) {
      if (matrix.value[k] != 0)
        all[line].take(std::fabs(matrix.value[k]) * cross_scale[matrix.index[k]]);
    }
  }
  return all;
}

bool is_well_scaled(const Extent& extent) {
  return extent.empty() || (extent.largest <= kWellScaled && extent.least >= 1 / kWellScaled);
}

bool is_well_scaled(const CompressedMatrix<double>& matrix) {
  Extent all;
  for (const double value : matrix.value) {
    if (value != 0) all.take(std::fabs(value));
  }
  return is_well_scaled(all);
}

/// Brings the largest entry into (1/2, 1].
double scale_below_one(const Extent& extent) {
  return std::exp2(-std::ceil(std::log2(extent.largest)));
}

void geometric(const CompressedMatrix<double>& matrix, const std::vector<double>& cross,
               std::vector<double>& scale) {
  const std::vector<Extent> all = extents(matrix, cross);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!all[k].empty()) scale[k] = 1 / std::sqrt(all[k].least * all[k].largest);
  }
}

struct Scales {
  std::vector<double> row;
  std::vector<double> column;
};

Scales choose_scales(const CompressedMatrix<double>& by_column,
                     const CompressedMatrix<double>& by_row) {
  Scales scales{std::vector<double>(static_cast<std::size_t>(by_row.lines()), 1.0),
                std::vector<double>(static_cast<std::size_t>(by_column.lines()), 1.0)};
  if (is_well_scaled(by_column)) return scales;
  for (int pass = 0; pass < kGeometricPasses; ++pass) {
    geometric(by_row, scales.column, scales.row);
    geometric(by_column, scales.row, scales.column);
  }
  for (double& scale : scales.row) scale = power_of_two_near(scale);
  const std::vector<Extent> columns = extents(by_column, scales.row);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (!columns[k].empty()) scales.column[k] = scale_below_one(columns[k]);
  }
  return scales;
}

double scale_for_costs(const std::vector<double>& costs) {
  double largest = 0;
  for (const double cost : costs) largest = std::max(largest, std::fabs(cost));
  return largest > kLargestCost ? power_of_two_near(kLargestCost / largest) : 1.0;
}

}  // namespace

double nearest_double(const Rational& value) {
  const double rounded = value.to_double();
  if (value.sign() != 0 &&
      !(std::fabs(rounded) >= kLeastSize && std::fabs(rounded) <= kLargestSize)) {
    throw std::invalid_argument("a number of a linear program is not within 1e-100 and 1e100");
  }
  return rounded;
}

ScaledProgram::ScaledProgram(const LinearProgram& program)
    : rows(program.rows()), columns(program.columns()) {
  for (ColIndex j; j.value() < columns; ++j) {
    for (const Entry& entry : program.entries(j)) {
      if (entry.value.sign() != 0) by_column.push(entry.row.value(), nearest_double(entry.value));
    }
    by_column.close_line();
  }
  by_row = transposed(by_column, rows);
  const Scales scales = choose_scales(by_column, by_row);

  scale = scales.column;
  for (const double row : scales.row) scale.push_back(1 / row);
  for (int j = 0; j < columns; ++j) {
    for (int k = by_column.start[j]; k < by_column.start[j + 1]; ++k) {
      by_column.value[k] *= scales.column[j] * scales.row[by_column.index[k]];
    }
  }
  assert(std::ranges::all_of(scale, [](double s) { return std::isfinite(s) && s > 0; }));
  by_row = transposed(by_column, rows);
  for (ColIndex j; j.value() < columns; ++j) {
    cost.push_back(nearest_double(program.cost(j)) * scale[j.value()]);
  }
  cost_scale = scale_for_costs(cost);
  for (double& c : cost) c *= cost_scale;
  cost.resize(static_cast<std::size_t>(variables()), 0.0);

  lower.resize(static_cast<std::size_t>(variables()));
  upper.resize(static_cast<std::size_t>(variables()));
  for (ColIndex j; j.value() < columns; ++j) set_range(j.value(), program.range(j));
  for (RowIndex i; i.value() < rows; ++i) set_range(logical(i.value()), program.range(i));
}

double ScaledProgram::scale_of_new_column(const std::vector<Entry>& entries) const {
  Extent extent;
  for (const Entry& entry : entries) {
    if (entry.value.sign() == 0) continue;
    extent.take(std::fabs(nearest_double(entry.value)) * row_scale(entry.row.value()));
  }
  return is_well_scaled(extent) ? 1.0 : scale_below_one(extent);
}

void ScaledProgram::add_columns(const LinearProgram& program) {
  const int first = columns;
  const auto count = static_cast<std::size_t>(program.columns() - first);
  for (std::vector<double>* values : {&cost, &lower, &upper, &scale}) {
    values->insert(values->begin() + first, count, 0.0);
  }
  columns = program.columns();
  for (ColIndex j(first); j.value() < columns; ++j) {
    const int v = j.value();
    scale[v] = scale_of_new_column(program.entries(j));
    for (const Entry& entry : program.entries(j)) {
      if (entry.value.sign() == 0) continue;
      const int row = entry.row.value();
      by_column.push(row, nearest_double(entry.value) * scale[v] * row_scale(row));
    }
    by_column.close_line();
    cost[v] = nearest_double(program.cost(j)) * scale[v] * cost_scale;
    set_range(v, program.range(j));
  }
  by_row = transposed(by_column, rows);
}

void ScaledProgram::add_rows(const LinearProgram& program) {
  const int first = rows;
  rows = program.rows();
  std::vector<Extent> extents_of_rows(static_cast<std::size_t>(rows - first));
  CompressedMatrix<double> grown;
  for (ColIndex j; j.value() < columns; ++j) {
    const int v = j.value();
    for (int k = by_column.start[v]; k < by_column.start[v + 1]; ++k) {
      grown.push(by_column.index[k], by_column.value[k]);
    }
    const std::vector<Entry>& entries = program.entries(j);
    for (auto at = std::ranges::lower_bound(entries, RowIndex(first), {}, &Entry::row);
         at != entries.end(); ++at) {
      if (at->value.sign() == 0) continue;
      grown.push(at->row.value(), nearest_double(at->value) * scale[v]);
      extents_of_rows[at->row.value() - first].take(std::fabs(grown.value.back()));
    }
    grown.close_line();
  }
  cost.resize(static_cast<std::size_t>(variables()), 0.0);
  lower.resize(cost.size());
  upper.resize(cost.size());
  for (const Extent& extent : extents_of_rows) {
    scale.push_back(
        is_well_scaled(extent) ? 1.0 : power_of_two_near(std::sqrt(extent.least * extent.largest)));
  }
  for (std::size_t k = 0; k < grown.size(); ++k) {
    if (grown.index[k] >= first) grown.value[k] *= row_scale(grown.index[k]);
  }
  by_column = std::move(grown);
  by_row = transposed(by_column, rows);
  for (RowIndex i(first); i.value() < rows; ++i) set_range(logical(i.value()), program.range(i));
}

void ScaledProgram::set_range(int variable, const Range& range) {
  const double low = range.lower ? nearest_double(*range.lower) / scale[variable] : -kInfinity;
  const double high = range.upper ? nearest_double(*range.upper) / scale[variable] : kInfinity;
  assert(range.is_empty() || low <= high);
  lower[variable] = low;
  upper[variable] = high;
}

}  // namespace pimbb::lp
