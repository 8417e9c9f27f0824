// Restrictions of a question and of its constraints, put together.
#include "dram_pim/solver/confines.hpp"

#include "pimbb/error.hpp"

namespace pimbb::dram_pim::mapper {

Confines confines_of(const Architecture& architecture, const Workload& workload,
                     const Question& question) {
  const Constraints& constraints = question.constraints;
  if (question.precedence.any() && constraints.orders.any()) {
    throw InputError("precedence: found loop orders in the constraints beside it, allowed is one");
  }
  return {
      question.method, both(question.layouts, constraints.layouts),
      OrderRule(architecture, constraints.orders.any() ? constraints.orders : question.precedence),
      ConstraintRule(architecture, workload, constraints)};
}

}  // namespace pimbb::dram_pim::mapper
