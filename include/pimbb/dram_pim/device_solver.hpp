// The best mapping of a layer onto a whole device: split, slices and their mapping together.
//
//   auto solution = solve(read_device("hbm_pim_stack"), layer, kDefaultMoves, {.objective = ...});
//
// As for one unit (solver.hpp), the answer does not depend on the number of threads, and a search
// that ends at a limit returns its best mapping with a proven bound. A padding of the layer applies
// to the bounds of its slices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/device_cost.hpp"
#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim {

struct DeviceSolution : SolveStatistics {
  Status status = Status::unknown;
  std::optional<DeviceMapping> mapping;  ///< present if optimal or feasible
  std::optional<DeviceMetrics> metrics;
  std::vector<GoalResult> goals;    ///< one for each goal of the objective, in order
  std::string reason;               ///< infeasible: what does not fit
  std::uint64_t splits = 0;         ///< priced exactly
  std::uint64_t slices = 0;         ///< different bounds of slices that splits lead to
  std::uint64_t slices_solved = 0;  ///< solves of slices on a unit
  double seconds = 0;
  int threads = 1;

  /// What it says of the device, as the solution of one unit would: without metrics.
  [[nodiscard]] Solution claim() const;
};

/// Throws InputError unless the question is one about a device: the method is exact, and limits are
/// on latency, energy (of devices without static power) and activations.
void validate(const Device& device, const Question& question);

/// Throws InputError as validate() and the solver of one unit do.
DeviceSolution solve(const Device& device, const Workload& layer, const Moves& moves,
                     const Question& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
