// `ht-code` and `ll-code`: what the published tool of PIMCOMP computes as the fitness of a mapping.
//
// Both depend on the numbers of nodes and cores: on who transfers first, and on the core that is
// said to hold a consumer.
#pragma once

#include <cstdint>

#include "pimbb/crossbar/mapping.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::crossbar::cost {

/// `ht-code`: two rounds of all cores, with a global memory that transfers one by one; the distance
/// of the rounds is that of all others. ns.
std::int64_t tool_throughput(const Architecture& architecture, const Partition& partition,
                             const Mapping& mapping);

/// The factor of `ll-code` that says how many rounds an inference takes, from paths as the tool
/// lists them. The network has a latency (why_no_latency()).
Rational tool_rounds(const Partition& partition, const Mapping& mapping);

/// The other factor: ns of one round, in which cores send what they computed over one bus.
std::int64_t tool_round(const Architecture& architecture, const Partition& partition,
                        const Mapping& mapping);

}  // namespace pimbb::crossbar::cost
