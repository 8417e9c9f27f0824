// The report on a layer that is split over a device: units, transfers and phases, and one unit's
// part.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/device_solver.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// The first lines: layer, shape and MACs; device; and the task.
std::string device_title(const Style& style, const Device& device, const Workload& layer,
                         const std::string& task);
/// "8 units x 16 channels of hbm_pim".
std::string summary(const Device& device);
/// The sections about the device, and those about the slice of one unit.
std::string device_report(const Style& style, const Device& device, const Workload& layer,
                          const DeviceMapping& mapping, const DeviceMetrics& metrics,
                          RowModel row_model);
/// The claim and the effort.
std::string device_verdict(const Style& style, const DeviceSolution& solution, bool interrupted,
                           bool timeless);

}  // namespace pimbb::dram_pim::cli
