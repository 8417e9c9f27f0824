// A layer inside another document.
#pragma once

#include "files/value.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::layers {

/// The layer that a value describes with the keys of a layer file.
Workload read_workload(const files::Value& value);

}  // namespace pimbb::layers
