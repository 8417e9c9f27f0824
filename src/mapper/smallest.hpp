// The smallest mapping: all loops at the DRAM, on chip no more than one element of each tensor.
//
// Tiles only grow with their factors, so if this mapping does not fit, none does. And where no
// other is known, because a search was stopped before it had begun, it is an answer.
#pragma once

#include <string>

#include "pimbb/architecture.hpp"
#include "pimbb/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::mapper {

Mapping smallest_mapping(const Architecture& architecture, const Workload& workload);

/// Why there is no mapping at all, or nothing.
std::string obstacle(const Architecture& architecture, const Workload& workload);

}  // namespace pimbb::mapper
