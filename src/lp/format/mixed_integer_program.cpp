// Integer marks.
#include "lp/format/mixed_integer_program.hpp"

#include <algorithm>

namespace pimbb::lp {

void MixedIntegerProgram::mark_integer(ColIndex column) {
  const auto at = static_cast<std::size_t>(column.value());
  if (is_integer_.size() <= at) is_integer_.resize(at + 1, false);
  is_integer_[at] = true;
}

bool MixedIntegerProgram::is_integer(ColIndex column) const {
  const auto at = static_cast<std::size_t>(column.value());
  return at < is_integer_.size() && is_integer_[at];
}

bool MixedIntegerProgram::is_binary(ColIndex column) const {
  const Range& range = relaxation.range(column);
  return is_integer(column) && range.lower == Rational(0) && range.upper == Rational(1);
}

int MixedIntegerProgram::integers() const {
  return static_cast<int>(std::ranges::count(is_integer_, true));
}

}  // namespace pimbb::lp
