// What an architecture file says in vain: keys that enter no formula, values that contradict each
// other, defaults taken for timings that are missing.
//
// Each is warned of once, at its first place in the file, whatever the number of levels that have
// the key.
#pragma once

#include <string>
#include <vector>

#include "files/value.hpp"
#include "pimbb/dram_pim/architecture.hpp"

namespace pimbb::dram_pim::io {

/// "file:line:column: key: what is the matter", in the order of the file's parts. `architecture` is
/// what has been read from `file`.
std::vector<std::string> architecture_warnings(const files::Value& file,
                                               const Architecture& architecture);

}  // namespace pimbb::dram_pim::io
