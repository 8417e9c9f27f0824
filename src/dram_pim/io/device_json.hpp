// Devices, and the pimbb-device/1 document of a given mapping, as parts of other documents.
#pragma once

#include "files/json_text.hpp"
#include "pimbb/dram_pim/device_cost.hpp"

namespace pimbb::dram_pim::io {

/// A device with the keys of its file, its unit in place: parse_device() reads it back.
files::Json device_json(const Device& device);

files::Json device_evaluation_document(const Device& device, const Workload& layer,
                                       const Moves& moves, RowModel row_model,
                                       const DeviceMapping& mapping, const DeviceMetrics& metrics);

}  // namespace pimbb::dram_pim::io
