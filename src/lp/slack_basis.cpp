// One pass over the columns.
#include "lp/slack_basis.hpp"

#include <algorithm>

namespace pimbb::lp {
namespace {

bool is_fixed(const Range& range) {
  return range.lower && range.upper && *range.lower == *range.upper;
}

bool is_slack(const LinearProgram& program, ColIndex j) {
  const std::vector<Entry>& entries = program.entries(j);
  return program.cost(j).sign() == 0 && entries.size() == 1 && entries.front().value.sign() != 0 &&
         !is_fixed(program.range(j));
}

}  // namespace

std::vector<VariableStatus> slack_basis(const LinearProgram& program) {
  const auto columns = static_cast<std::size_t>(program.columns());
  const auto rows = static_cast<std::size_t>(program.rows());
  std::vector<VariableStatus> status(columns, VariableStatus::at_lower);
  status.resize(columns + rows, VariableStatus::basic);
  for (ColIndex j; j.value() < program.columns(); ++j) {
    if (!is_slack(program, j)) continue;
    const RowIndex row = program.entries(j).front().row;
    VariableStatus& logical = status[columns + static_cast<std::size_t>(row.value())];
    if (logical != VariableStatus::basic || !is_fixed(program.range(row))) continue;
    logical = VariableStatus::at_lower;
    status[static_cast<std::size_t>(j.value())] = VariableStatus::basic;
  }
  return status;
}

}  // namespace pimbb::lp
