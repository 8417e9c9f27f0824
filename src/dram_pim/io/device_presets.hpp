// The devices that are embedded in the library.
#pragma once

#include <string>

#include "files/presets.hpp"

namespace pimbb::dram_pim::io {

const files::PresetTable& device_table();

/// Whether `source` is the name of a device, or a file with one.
bool is_device(const std::string& source);

}  // namespace pimbb::dram_pim::io
