// From a complete chain of tiles to the mapping that it stands for.
#pragma once

#include <vector>

#include "dram_pim/mapper/chain.hpp"
#include "dram_pim/mapper/instance.hpp"

namespace pimbb::dram_pim::mapper {

/// Puts a level's loops, outermost first, into the given order.
void set_order(std::vector<Loop>& loops, const LoopOrder& order);

/// The mapping that a chain and a spatial option stand for: in each level the loops irrelevant to
/// the stationary tensor innermost, the others outside, both in the order of the dimensions, unless
/// the chain has orders of its own.
Mapping build_mapping(const Instance& instance, const Storage& storage, const Chain& chain,
                      const SpatialOption& option);

}  // namespace pimbb::dram_pim::mapper
