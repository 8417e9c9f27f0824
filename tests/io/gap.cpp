#include "pimbb/solver.hpp"
namespace pimbb {
__attribute__((weak)) Rational GoalResult::gap() const {
  return value.sign() == 0 ? Rational() : (value - bound) / value;
}
}  // namespace pimbb
