// One estimate of many mappings of a network, for searches: what does not depend on the mapping is
// computed once.
#pragma once

#include <memory>

#include "crossbar/cost/tool.hpp"
#include "pimbb/crossbar/estimate.hpp"

namespace pimbb::crossbar::cost {

class Estimator {
 public:
  /// Throws InputError if the network does not have the estimate. Keeps references.
  Estimator(const Architecture& architecture, const Partition& partition, Estimate estimate,
            Mode mode);

  /// Of a feasible mapping; from any number of threads.
  [[nodiscard]] Rational value(const Mapping& mapping) const;

 private:
  [[nodiscard]] Rational energy(const Mapping& mapping, bool times_time) const;

  const Architecture& a_;
  const Partition& p_;
  Estimate estimate_;
  Mode mode_;
  std::unique_ptr<const ToolRounds> rounds_;  // of ll-code only
};

}  // namespace pimbb::crossbar::cost
