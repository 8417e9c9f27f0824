// Random mappings: mostly near feasibility, for comparing verdicts and costs one by one.
#pragma once

#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"
#include "support/choices.hpp"

namespace testkit {

/// A mapping whose factors multiply to the bounds, with storage, layouts and block drawn among what
/// the architecture allows. It may still overflow a buffer or the array. The larger `outward`, the
/// more factors go to the DRAM, where they need no capacity.
pimbb::dram_pim::Mapping random_mapping(const pimbb::dram_pim::Architecture& architecture,
                                        const pimbb::Workload& workload, Choices& choices,
                                        std::size_t outward = 0);

/// One careless change: a factor, a direction, a storage bit, a layout or the block.
void damage(pimbb::dram_pim::Mapping& mapping, Choices& choices);

/// One small step: move a prime factor elsewhere, swap two loops, flip a storage bit or a layout,
/// choose another block. The product of the factors stays.
void step(pimbb::dram_pim::Mapping& mapping, const pimbb::dram_pim::Architecture& architecture,
          const pimbb::Workload& workload, Choices& choices);

}  // namespace testkit
