// Another unrolling of a mapping: a way out of local optima.
//
// A mapping that unrolls 7 * 2 on 16 PEs is often far from one that unrolls 16: no single step of a
// factor leads there, and the tiles that go with the one do not fit with the other.
#pragma once

#include "exact/splitmix64.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::heuristic {

/// Fills a direction of the array anew: with as much as it takes of one dimension after the other,
/// in random order, of those that it may unroll and no other direction does. Tiles may be too large
/// then.
void fill_array(const Architecture& architecture, Mapping& mapping, Direction direction,
                SplitMix64& random);

/// Moves random factors from the levels to the DRAM, for a while, until the mapping is feasible;
/// tensors are laid out sequentially where it was not. Whether it is.
bool make_room(const Architecture& architecture, const Workload& workload, Mapping& mapping,
               SplitMix64& random);

}  // namespace pimbb::dram_pim::heuristic
