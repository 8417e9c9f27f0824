// An architecture inside another document.
#pragma once

#include "files/value.hpp"
#include "pimbb/dram_pim/architecture.hpp"

namespace pimbb::dram_pim::io {

/// The architecture that a value describes with the keys of an architecture file, with warnings.
/// Throws InputError if it is not well formed.
Architecture architecture_in(const files::Value& value);

}  // namespace pimbb::dram_pim::io
