// The simulated time of a low-latency schedule, without its instructions: every unit of a core runs
// through its tasks (makers.hpp) until one has to wait, for another unit of the core, for a message
// or for pixels. Only transfers are events.
//
// The array groups of a maker are multiplied, and their results added, as one. This delays none of
// them: what they wait for belongs to earlier rounds or phases, which never wait for the maker, and
// what waits for a single one also waits for the last, or for a later task of that unit.
#pragma once

#include "crossbar/schedule/stream.hpp"

namespace pimbb::crossbar::schedule {

/// Timing::time of the mapping's stream with the policy `add`; the greatest of all times if that is
/// above `cutoff`.
std::int64_t latency_time(const Architecture& architecture, const Partition& partition,
                          const Mapping& mapping, const run::Guard& guard, std::int64_t cutoff);

}  // namespace pimbb::crossbar::schedule
