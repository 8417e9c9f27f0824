// Counts of the work that a simplex solver has done. They are the same in every run.
#pragma once

#include <cstdint>

namespace pimbb::lp {

struct SimplexStatistics {
  std::int64_t dual_iterations = 0;
  std::int64_t primal_iterations = 0;
  std::int64_t bland_iterations = 0;  ///< of these, those under Bland's rule (after stalling)
  std::int64_t refactorizations = 0;
  std::int64_t flips = 0;          ///< moves from bound to bound without a change of basis
  std::int64_t perturbations = 0;  ///< how often costs were perturbed against stalling
  std::int64_t repairs = 0;        ///< basic columns replaced because they were dependent

  [[nodiscard]] std::int64_t iterations() const { return dual_iterations + primal_iterations; }
};

}  // namespace pimbb::lp
