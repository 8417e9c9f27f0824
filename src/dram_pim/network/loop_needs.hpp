// What mappings need of the orders of their loops, and permutations that give it to all of them.
//
// A mapping shows one order of each level's loops, but mostly needs less. By the closed row models
// its costs depend on the run of loops that leave a tensor in place (mapper/steps.hpp): these have
// to stay inside the others, whatever the order among them. Where row activations are traced, the
// DRAM sees every loop outside the tile that it moves, and their whole order is needed.
//
// Needs are pairs "i inside j", a relation for every level. One permutation of the dimensions
// serves all mappings if and only if the union of their needs has no cycle; then sorting gives it.
#pragma once

#include <optional>
#include <vector>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/precedence.hpp"

namespace pimbb::dram_pim::network {

/// Pairs of a level: not a transitive relation as a rule.
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

/// A pair of the cycles of `pairs` that `decided` (transitive) says nothing about.
std::optional<Pair> open_pair(const LoopPrecedence& pairs, const LoopPrecedence& decided);

/// Permutations of the levels above 0 that keep all pairs, which have no cycle; else as far as may
/// be the order of the dimensions.
LoopPermutations permutations(const LoopPrecedence& pairs);

/// The mapping with its loops above level 0 in the order of the permutations.
Mapping sorted(Mapping mapping, const LoopPermutations& permutations);

}  // namespace pimbb::dram_pim::network
