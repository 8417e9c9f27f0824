// Gaps.
#include "pimbb/cim/solver.hpp"

namespace pimbb::cim {

Rational GoalResult::gap() const {
  return value.sign() == 0 ? Rational(0) : (value - bound) / value;
}

}  // namespace pimbb::cim
