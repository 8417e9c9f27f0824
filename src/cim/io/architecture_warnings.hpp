// What an architecture file of SRAM compute-in-memory says in vain: keys that enter no formula, and
// contradictions.
#pragma once

#include <string>
#include <vector>

#include "files/value.hpp"
#include "pimbb/cim/architecture.hpp"

namespace pimbb::cim::io {

/// One sentence each, with its place. `file` is the map of the architecture's keys.
std::vector<std::string> architecture_warnings(const files::Value& file,
                                               const Architecture& architecture);

}  // namespace pimbb::cim::io
