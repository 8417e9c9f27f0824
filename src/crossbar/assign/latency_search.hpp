// The search for the least `ll`: rounding of the best fractional replications, exchanges between
// families, then branch and bound over boxes of replications.
#pragma once

#include <functional>
#include <optional>

#include "crossbar/assign/packing.hpp"
#include "pimbb/crossbar/solver.hpp"

namespace pimbb::crossbar::assign {

struct LeastLatency {
  std::optional<Mapping> mapping;
  Rational value;           ///< of the mapping, ns
  Rational bound;           ///< proven, ns
  bool infeasible = false;  ///< proven
  std::string reason;       ///< infeasible: why
};

/// The network has a latency (cost::why_no_latency()). `report` is told value (if there is one) and
/// bound after each part of the work.
LeastLatency least_latency(
    const Problem& problem, Effort& effort, SolveStatistics& spent,
    const std::function<void(std::optional<Rational>, const Rational&)>& report);

}  // namespace pimbb::crossbar::assign
