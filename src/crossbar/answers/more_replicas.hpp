// Mappings with replicas added where there is room and time: one such mapping answers for all
// replications below it (class_packings.hpp), so that on a network with room to spare it stands for
// very many classes.
#pragma once

#include <cstdint>
#include <functional>

#include "crossbar/assign/problem.hpp"

namespace pimbb::crossbar::classes {

/// The mapping with as many more replicas as find room in cores that still meet the deadline, of
/// the family `first`, then of the next ones. The mapping meets it.
Mapping with_more_replicas(const assign::Problem& problem, Mapping mapping, std::int64_t deadline,
                           std::size_t first, const std::function<bool()>& stop);

}  // namespace pimbb::crossbar::classes
