// Exploring accelerators of kind crossbar (pimbb/explore.hpp).
#pragma once

#include "pimbb/crossbar/cost.hpp"
#include "pimbb/explore.hpp"

namespace pimbb::crossbar {

struct SpaceQuestion {
  std::optional<Mode> mode = {};  ///< of the estimates energy and edp; absent: ll if the space's
                                  ///< objective begins with a latency, else ht
  std::uint64_t seed = 1;         ///< of the random steps that look for good mappings
};

/// Goals of a space are the estimates by their names, or a list of these; `ll` and its kin only if
/// all networks have a latency. A network is one search: `ht` and `ll` alone are searched exactly,
/// to kDefaultNodes where the options have no limit of nodes, all others locally with a proven
/// bound. Throws InputError for what is wrong in the space or the files that it names, and for a
/// journal that is damaged, in use or of another space. Processes as in dram_pim::explore().
Exploration explore(const Space& space, const ExploreOptions& options = {},
                    const SpaceQuestion& question = {}, const OnExplored& on_progress = {});

}  // namespace pimbb::crossbar
