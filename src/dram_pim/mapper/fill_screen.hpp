// Whether a layer can have a mapping of interest, told before there is a lattice.
//
// Where layers are compared that differ in their bounds, most have no mapping that is good enough,
// and the lattice of each takes longer than to tell so. Each level between the PEs and the row
// buffer holds a tile c of the mapping. If none of those that fit it is good enough by itself,
// neither is a mapping.
//
// Claim: if level m is filled with c, then for each tensor t but the stationary one it reads at
// least elements_t(c) * prod B/c at its source.
//
// Proof. These are fills(t, s, outer) of t != s (nest/lattice.hpp), and rereads add to them.  []
//
// Of the times of the tensors that m stores all but one count, so the latency is at least the
// second largest, and the energy is at least their sum without the largest. The unrolling of the
// mapping divides c, so the MACs take at least as long as with the most PEs that factors of c can
// fill, each dimension on one side of the array.
#pragma once

#include <optional>
#include <vector>

#include "dram_pim/mapper/inside_floors.hpp"
#include "dram_pim/mapper/storage.hpp"
#include "dram_pim/mapper/tile_space.hpp"
#include "run/guard.hpp"

namespace pimbb::dram_pim::mapper {

/// A tile that the level inside the row buffer is filled with, and what its mappings cost at least.
struct Fill {
  Factors tile{};
  Costs least;
};

/// False if no mapping of the layer under this storage choice is of interest. `least`: what all
/// mappings cost at least, with which `hopeless` is asked; it must hold of all costs that are no
/// less than some of which it holds. Throws what the guard throws.
bool fills_are_hopeful(const Architecture& architecture, const Workload& workload,
                       const Storage& storage, const Costs& least, const Hopeless& hopeless,
                       const run::Guard& guard = {});

/// The fills of mappings of interest, each tile once, as far as tiles tell by themselves; nothing
/// if there are more than `most`, or if tiles tell little. As above.
std::optional<std::vector<Fill>> hopeful_fills(const Architecture& architecture,
                                               const Workload& workload, const Storage& storage,
                                               const Costs& least, const Hopeless& hopeless,
                                               std::size_t most, const run::Guard& guard = {});

/// Leaves out fills with which no mapping is of interest for what is inside them: an unrolling, and
/// a tile of level 0 of which a PE can hold its share. It makes a lattice of the tiles that are no
/// greater than one of the fills.
void keep_hopeful_insides(const Architecture& architecture, const Workload& workload,
                          RowModel model, const Confines& confines, const Storage& storage,
                          const Hopeless& hopeless, std::vector<Fill>& fills,
                          const run::Guard& guard = {});

}  // namespace pimbb::dram_pim::mapper
