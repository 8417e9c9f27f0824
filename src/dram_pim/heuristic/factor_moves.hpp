// Factors of a mapping and where they are: in a direction of the array, or at a level.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::heuristic {

/// The directions of the array first, then the levels from the PE to the DRAM.
using Place = std::size_t;

/// How many places there are; the last one is the DRAM.
Place places_of(const Architecture& architecture);

/// The factor of j at a place, 1 where it has none.
std::int64_t factor_at(const Mapping& mapping, Place place, Dim j);

/// Takes `factor`, which divides the factor of j at `from`, to another place. A new loop goes where
/// the loops of level 0 have it.
void move_factor(Mapping& mapping, Dim j, std::int64_t factor, Place from, Place to);

}  // namespace pimbb::dram_pim::heuristic
