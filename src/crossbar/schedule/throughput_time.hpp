// The simulated time of a high-throughput schedule, without its instructions.
//
// Every unit of a core runs through the core's teams, round by round (`Turns`):
//
//     mvm   the MVMs of each team
//     vec   the local VVADDs of each team; then at each home the sums of other teams, and ACT
//     dma   the LDs of each team for the next round; then SENDs; then STs
//
// and after all rounds through the shares of vector nodes. What they wait for is in the same core,
// but for messages. Only transfers are events: after each of them the other units of its core, and
// those of the core that it was sent to, are advanced until they wait.
#pragma once

#include "crossbar/schedule/stream.hpp"

namespace pimbb::crossbar::schedule {

/// Timing::time of the mapping's stream with the policy `add`; the greatest of all times if that is
/// above `cutoff`.
std::int64_t throughput_time(const Architecture& architecture, const Partition& partition,
                             const Mapping& mapping, const run::Guard& guard, std::int64_t cutoff);

}  // namespace pimbb::crossbar::schedule
