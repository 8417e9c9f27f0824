// The loop orders that mappings require, and permutations that satisfy all of them.
//
// A mapping has one order of each level's loops, but usually its cost requires less. Under the
// closed row models its cost depends on the run of loops that leave a tensor in place
// (nest/steps.hpp): these must be inside the others, in any order among themselves. Under the row
// model trace every loop outside the tile that the DRAM moves matters, so their complete order is
// required.
//
// Requirements are pairs "i inside j", a relation for every level. One permutation of the
// dimensions satisfies all mappings if and only if the union of their requirements is acyclic;
// topological sorting gives it.
#pragma once

#include <optional>
#include <vector>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/precedence.hpp"

namespace pimbb::dram_pim::network {

/// The pairs that a mapping requires; in general not transitive.
LoopPrecedence needs(const Architecture& architecture, const Mapping& mapping, RowModel model);

/// Adds the pairs of `more`.
void unite(LoopPrecedence& all, const LoopPrecedence& more);

LoopPrecedence closure(LoopPrecedence pairs);
bool has_cycle(const LoopPrecedence& pairs);

/// "inner inside outer" at a level.
struct Pair {
  std::size_t level = 0;
  Dim inner = Dim::R;
  Dim outer = Dim::R;
};
LoopPrecedence with(LoopPrecedence pairs, const Pair& pair);

/// A pair in a cycle of `pairs` that the transitive relation `decided` leaves open.
std::optional<Pair> open_pair(const LoopPrecedence& pairs, const LoopPrecedence& decided);

/// Permutations of the levels above 0 that satisfy all pairs, which must be acyclic; otherwise as
/// close as possible to the order of the dimensions.
LoopPermutations permutations(const LoopPrecedence& pairs);

/// The mapping with its loops above level 0 in the order of the permutations.
Mapping sorted(Mapping mapping, const LoopPermutations& permutations);

}  // namespace pimbb::dram_pim::network
