// A layer as JSON.
#pragma once

#include "files/json_text.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::layers {

/// With the keys of a layer file: parse_workload() reads it back, but for the frames of a plan,
/// which are not part of a layer.
files::Json workload_json(const Workload& workload);

}  // namespace pimbb::layers
