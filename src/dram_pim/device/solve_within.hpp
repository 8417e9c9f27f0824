// A layer on a device with a part of its slices only: those for which a bank has room.
#pragma once

#include <functional>

#include "pimbb/dram_pim/device_solver.hpp"

namespace pimbb::dram_pim::device {

/// Whether slices of these bounds are allowed.
using SliceFilter = std::function<bool(const Factors&)>;

/// solve() among mappings whose slices are allowed. An empty filter allows all.
DeviceSolution solve_within(const Device& device, const Workload& layer, const Moves& moves,
                            const Question& question, const RunLimits& limits,
                            const SliceFilter& allowed);

}  // namespace pimbb::dram_pim::device
