// A mapping given with --mapping, with its device and layer.
#pragma once

#include "dram_pim/cli/options.hpp"
#include "pimbb/dram_pim/device_cost.hpp"

namespace pimbb::dram_pim::cli {

/// A mapping onto a device that was given, and what it is for.
struct GivenOnDevice {
  Device device;
  Workload layer;
  Moves moves;
  DeviceMapping mapping;
};

/// Reads all of it. Throws InputError if something is missing or malformed, or if the mapping is
/// not feasible.
GivenOnDevice read_given_on_device(const MappingSettings& settings,
                                   const DeviceSettings& device_settings,
                                   const OutputSettings& output);

}  // namespace pimbb::dram_pim::cli
