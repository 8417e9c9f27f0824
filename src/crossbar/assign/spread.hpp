// Placements for `ll`, where only replications count: replicas as wholes, evenly over the cores.
// They keep partial sums off the bus, which `ll` does not see.
#pragma once

#include <optional>

#include "crossbar/assign/problem.hpp"

namespace pimbb::crossbar::assign {

/// Nodes by decreasing size, each replica to the core with fewest array groups of its node, then
/// fewest of all, that has room for it as a whole; else its array groups one by one; else nothing.
std::optional<Mapping> spread(const Problem& problem, const std::vector<std::int64_t>& replication);

/// Array groups one by one to the first core that has room, wide ones first.
std::optional<Mapping> first_fit(const Problem& problem,
                                 const std::vector<std::int64_t>& replication);

}  // namespace pimbb::crossbar::assign
