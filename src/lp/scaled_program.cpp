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

/// Throws if scaling could exceed the range of doubles.
double nearest(const Rational& value) {
  const double rounded = value.to_double();
  if (value.sign() != 0 &&
      !(std::fabs(rounded) >= kLeastSize && std::fabs(rounded) <= kLargestSize)) {
    throw std::invalid_argument("a number of a linear program is not within 1e-100 and 1e100");
  }
  return rounded;
}

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

bool is_well_scaled(const CompressedMatrix<double>& matrix) {
  return std::ranges::all_of(matrix.value, [](double value) {
    const double size = std::fabs(value);
    return size == 0 || (size <= kWellScaled && size >= 1 / kWellScaled);
  });
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
    if (!columns[k].empty())
      scales.column[k] = std::exp2(-std::ceil(std::log2(columns[k].largest)));
  }
  return scales;
}

double scale_for_costs(const std::vector<double>& costs) {
  double largest = 0;
  for (const double cost : costs) largest = std::max(largest, std::fabs(cost));
  return largest > kLargestCost ? power_of_two_near(kLargestCost / largest) : 1.0;
}

}  // namespace

ScaledProgram::ScaledProgram(const LinearProgram& program)
    : rows(program.rows()), columns(program.columns()) {
  for (ColIndex j; j.value() < columns; ++j) {
    for (const Entry& entry : program.entries(j)) {
      if (entry.value.sign() != 0) by_column.push(entry.row.value(), nearest(entry.value));
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
    cost.push_back(nearest(program.cost(j)) * scale[j.value()]);
  }
  cost_scale = scale_for_costs(cost);
  for (double& c : cost) c *= cost_scale;
  cost.resize(static_cast<std::size_t>(variables()), 0.0);

  lower.resize(static_cast<std::size_t>(variables()));
  upper.resize(static_cast<std::size_t>(variables()));
  for (ColIndex j; j.value() < columns; ++j) set_range(j.value(), program.range(j));
  for (RowIndex i; i.value() < rows; ++i) set_range(logical(i.value()), program.range(i));
}

void ScaledProgram::set_range(int variable, const Range& range) {
  const double low = range.lower ? nearest(*range.lower) / scale[variable] : -kInfinity;
  const double high = range.upper ? nearest(*range.upper) / scale[variable] : kInfinity;
  assert(range.is_empty() || low <= high);
  lower[variable] = low;
  upper[variable] = high;
}

}  // namespace pimbb::lp
