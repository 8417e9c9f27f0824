// Lower bounds on the time of the DRAM for the tiles that it fills the level inside the row buffer
// with, over all loops around them (row model trace).
//
// The loops around a fill, from the inside outwards and each cut into prime factors, are a chain of
// tiles up to the whole layer. The time of a tensor t is a sum over this chain (moves_around.hpp):
// of the elements moved, of the rows that the moves open, and of the row changes at the seams of
// each loop. One order of the loops is good for one tensor and bad for another, and the latency is
// at least the time of each. With weights w_t that sum up to 1,
//
//     latency >= max over t of time_t >= sum over t of w_t * time_t
//
// whose least value over all chains is a shortest path from the fill outwards. A tensor may rest
// while the innermost loops are irrelevant to it. Every dimension is irrelevant to one tensor at
// most, so only one rests.
//
// Good weights are found by trying: those of the tensors that take long on the best chain are
// raised. Of ten thousand fills a hundred are left after a few weights for all of them, and a few
// after a few for each.
#pragma once

#include <vector>

#include "dram_pim/mapper/fill_screen.hpp"

namespace pimbb::dram_pim::mapper {

/// Leave out fills of the level inside the row buffer with which no mapping is of interest under
/// the row model trace, and raise what those of the others cost; these stay in their order. One
/// looks at all fills together, the other, with closer bounds, at each by itself, unless they are
/// many. Throw what the guard throws.
void keep_hopeful_together(const Architecture& architecture, const Workload& workload,
                           const Storage& storage, const Hopeless& hopeless,
                           std::vector<Fill>& fills, const run::Guard& guard = {});
void keep_hopeful_alone(const Architecture& architecture, const Workload& workload,
                        const Storage& storage, const Hopeless& hopeless, std::vector<Fill>& fills,
                        const run::Guard& guard = {});

}  // namespace pimbb::dram_pim::mapper
