// Mappings to begin with, for estimates of any kind: many replications, each placed in several
// ways.
//
//   balanced   array groups one by one, cores of equal work (balance.hpp)
//   spread     replicas as wholes, evenly (spread.hpp)
//   chunks     replicas in few parts, cores that multiply for equally long (chunks.hpp)
//   levelled   nodes by ascending cycles, core after core, each until its time is that of the
//              others: nodes that share a core have about as many cycles, and replicas are in few
//              cores; also with each core full
#pragma once

#include <functional>

#include "crossbar/assign/problem.hpp"

namespace pimbb::crossbar::assign {

/// For replications of ascending caps of cycles, and for fractions of `replication` (by family) if
/// it is not empty; the mappings are legal. If it is stopped, it makes the cheap ones only.
std::vector<Mapping> starting_mappings(const Problem& problem,
                                       const std::vector<std::int64_t>& replication,
                                       const std::function<bool()>& stop);

}  // namespace pimbb::crossbar::assign
