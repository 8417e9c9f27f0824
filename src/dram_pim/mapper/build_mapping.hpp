// From a complete chain of tiles to the mapping that it stands for.
#pragma once

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/partial_mapping.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::mapper {

/// In each level the loops irrelevant to the stationary tensor innermost, the others outside, both
/// in the order of the dimensions, unless the leaf or its chain has orders of its own.
Mapping build_mapping(const Instance& instance, const Storage& storage, const UnrolledChain& leaf);

}  // namespace pimbb::dram_pim::mapper
