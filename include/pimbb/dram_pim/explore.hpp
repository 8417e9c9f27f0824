// Exploring accelerators of kind dram_pim (pimbb/explore.hpp).
#pragma once

#include "pimbb/dram_pim/row_model.hpp"
#include "pimbb/explore.hpp"

namespace pimbb::dram_pim {

/// Goals of a space are latency, energy, activations, lists of these, or edp alone: total latency
/// times total energy. Throws InputError for what is wrong in the space or the files that it names,
/// and for a journal that is damaged, in use or of another space; LimitError if a search does not
/// fit the memory limit. With `options.ranks`, a process other than number 0 solves what number 0
/// hands out, and returns an exploration without points.
Exploration explore(const Space& space, const ExploreOptions& options = {},
                    RowModel row_model = RowModel::trace, const OnExplored& on_progress = {});

}  // namespace pimbb::dram_pim
