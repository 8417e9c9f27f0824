// The devices that are embedded in the library.
#pragma once

#include "files/presets.hpp"

namespace pimbb::dram_pim::io {

const files::PresetTable& device_table();

}  // namespace pimbb::dram_pim::io
