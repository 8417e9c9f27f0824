// Placements whose transfers are few: replicas in few parts, so that partial sums stay off the bus,
// and cores that multiply for equally long.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "crossbar/assign/problem.hpp"

namespace pimbb::crossbar::assign {

/// Nodes of one window first, evenly by crossbars and in single array groups; then replicas by
/// decreasing number of multiplications, in about `chunks` parts, each to the core with the fewest
/// multiplications that has room for it; parts that fit nowhere are made smaller. Then parts change
/// places, `exchanges` times at most, unless the slower of two cores becomes slower. `replication`
/// is by family. Nothing if not even single array groups have room, or if it is stopped.
std::optional<Mapping> balanced_chunks(const Problem& problem,
                                       const std::vector<std::int64_t>& replication,
                                       std::int64_t chunks, std::size_t exchanges,
                                       const std::function<bool()>& stop);

}  // namespace pimbb::crossbar::assign
