// The search for the least `ht`: starts in rounds until one meets the bound, then deadlines by
// bisection.
#pragma once

#include <cstdint>
#include <optional>

#include "crossbar/assign/packing.hpp"
#include "pimbb/crossbar/solver.hpp"

namespace pimbb::crossbar::assign {

struct Throughput {
  std::optional<Mapping> mapping;
  std::int64_t value = 0;   ///< of the mapping, ns
  std::int64_t bound = 0;   ///< proven, ns
  bool infeasible = false;  ///< proven
  std::string reason;       ///< infeasible: why
};

/// `patient`: only a limit ends the search for better mappings. `report` is told value (if there is
/// one) and bound after each part of the work.
Throughput least_throughput(
    const Problem& problem, const Question& question, bool patient, Effort& effort,
    SolveStatistics& spent,
    const std::function<void(std::optional<std::int64_t>, std::int64_t)>& report);

}  // namespace pimbb::crossbar::assign
