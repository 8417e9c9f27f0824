// How busy resources are over the time of a schedule, and when each node works.
#pragma once

#include <vector>

#include "crossbar/schedule/stream.hpp"
#include "crossbar/schedule/timing.hpp"

namespace pimbb::crossbar::schedule {

/// Of a stream whose instructions are not grouped into blocks.
Occupancy occupancy(const Architecture& architecture, const Partition& partition,
                    const Stream& stream, const Timing& timing);

/// By ascending node; those without instructions have none.
std::vector<NodeSpan> node_spans(const Stream& stream, const Timing& timing);

}  // namespace pimbb::crossbar::schedule
