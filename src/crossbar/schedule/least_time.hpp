// What the simulation of a mapping takes at least: to tell slow mappings without it.
#pragma once

#include "pimbb/crossbar/mapping.hpp"
#include "pimbb/crossbar/schedule.hpp"

namespace pimbb::crossbar::schedule {

/// ns: the greatest of the transfers of each memory, bus and the link, and of the multiplications
/// of each core.
std::int64_t least_time(const Architecture& architecture, const Partition& partition,
                        const Mapping& mapping, Mode mode);

}  // namespace pimbb::crossbar::schedule
