// The architectures of this wing that are embedded in the library.
#pragma once

#include "files/presets.hpp"

namespace pimbb::crossbar::io {

const files::PresetTable& architecture_table();

}  // namespace pimbb::crossbar::io
