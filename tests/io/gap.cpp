// GoalResult::gap for as long as the solver that owns it is not built: a weak definition, which
// any other one replaces.
#include "pimbb/solver.hpp"

namespace pimbb {

[[gnu::weak]] Rational GoalResult::gap() const {
  return value.sign() == 0 ? Rational() : (value - bound) / value;
}

}  // namespace pimbb
