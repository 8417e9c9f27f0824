// The mapping of a complete chain of tiles.
#pragma once

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/partial_mapping.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::mapper {

/// In each level the loops irrelevant to the stationary tensor are innermost and the others
/// outside, both in the order of the dimensions, unless the leaf or its chain specifies orders.
Mapping build_mapping(const Instance& instance, const Storage& storage, const UnrolledChain& leaf);

}  // namespace pimbb::dram_pim::mapper
