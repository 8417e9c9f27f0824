// Exploring accelerators of kind cim (pimbb/explore.hpp).
#pragma once

#include "pimbb/cim/question.hpp"
#include "pimbb/explore.hpp"

namespace pimbb::cim {

/// Goals of a space are latency, energy, lists of these, or edp alone: total latency times total
/// energy. Of `question` the pricing and the restrictions of the space of mappings hold for all
/// searches; its objective is not used, and it has no caps. Under the semantics `simulator` no
/// point is proven. Throws InputError for what is wrong in the space, the question or the files
/// that the space names, for layers that may be padded, and for a journal that is damaged, in use
/// or of another space; LimitError if a search does not fit the memory limit. Processes as in
/// dram_pim::explore().
Exploration explore(const Space& space, const ExploreOptions& options = {},
                    const Question& question = {}, const OnExplored& on_progress = {});

}  // namespace pimbb::cim
