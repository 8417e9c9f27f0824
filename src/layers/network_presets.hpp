// The networks that are embedded in the library.
#pragma once

#include "files/presets.hpp"

namespace pimbb::layers {

const files::PresetTable& network_table();

}  // namespace pimbb::layers
