// Which kind of accelerator an architecture document describes.
#pragma once

#include "files/value.hpp"
#include "pimbb/kind.hpp"

namespace pimbb::files {

/// A crossbar accelerator if it has the key of these; otherwise the value of the key `kind`,
/// DRAM-PIM where it is absent. Throws InputError, listing the known kinds, if it is another one.
/// No other key is looked at.
Kind read_kind(const Value& architecture);

}  // namespace pimbb::files
