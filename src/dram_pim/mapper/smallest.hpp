// The smallest mapping: all loops at the DRAM, and at most one element of each tensor on chip.
//
// Tiles grow with their factors, so if this mapping does not fit, no mapping does. It is also the
// answer if a search is stopped before it has found any mapping. Each dataflow has a smallest
// mapping too: it stores the required tensors, and for rs the PEs have the required rows.
#pragma once

#include <string>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/method.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::mapper {

Mapping smallest_mapping(const Architecture& architecture, const Workload& workload,
                         Method method = Method::exact);

/// The reason why no mapping exists, or none within the dataflow; "" if one exists.
std::string obstacle(const Architecture& architecture, const Workload& workload, Method method);

}  // namespace pimbb::dram_pim::mapper
