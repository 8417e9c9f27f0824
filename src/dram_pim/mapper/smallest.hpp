// The smallest mapping: all loops at the DRAM, on chip no more than one element of each tensor.
//
// Tiles only grow with their factors, so if this mapping does not fit, none does. And where no
// other is known, because a search was stopped before it had begun, it is an answer. A dataflow
// has a smallest mapping as well: it stores what it must, and in the PEs are as many rows as rs
// demands.
#pragma once

#include <string>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/method.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::mapper {

Mapping smallest_mapping(const Architecture& architecture, const Workload& workload,
                         Method method = Method::exact);

/// Why there is no mapping at all, or none within the dataflow; "" if there is one.
std::string obstacle(const Architecture& architecture, const Workload& workload, Method method);

}  // namespace pimbb::dram_pim::mapper
