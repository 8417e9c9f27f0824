// The certified distance of a given mapping onto a whole device from the optimum.
//
//   auto distance = audit(device, layer, moves, mapping, {.objective = Objective::parse("edp")});
#pragma once

#include "pimbb/dram_pim/audit.hpp"
#include "pimbb/dram_pim/device_solver.hpp"

namespace pimbb::dram_pim {

struct DeviceAudit : Distance {
  DeviceMetrics metrics;    ///< of the given mapping
  DeviceSolution solution;  ///< the mapping that it is compared with
};

/// Audits a feasible mapping whose slices are those of its split, or padded as the layer allows.
/// Throws InputError as solve() does, or if the mapping is not one of these; std::logic_error if
/// the mapping contradicts the solver's proof.
DeviceAudit audit(const Device& device, const Workload& layer, const Moves& moves,
                  const DeviceMapping& mapping, const Question& question = {},
                  const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
