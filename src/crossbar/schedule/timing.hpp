// The simulated times of a stream.
//
// An instruction starts when its unit's previous one permits, what it waits for has ended, and its
// memory, bus or link is free (transfers.hpp).
#pragma once

#include <limits>
#include <vector>

#include "crossbar/schedule/stream.hpp"

namespace pimbb::crossbar::schedule {

struct Timing {
  std::vector<std::int64_t> starts;  ///< by instruction
  std::vector<std::int64_t> ends;
  std::int64_t time = 0;
  std::int64_t instructions = 0;
  std::vector<std::int64_t> core_ends;
  Busy busy;
};

/// Ends early, with the greatest of all times, when the time must exceed `cutoff`.
Timing simulate(const Architecture& architecture, const Stream& stream, const run::Guard& guard,
                std::int64_t cutoff = std::numeric_limits<std::int64_t>::max());

/// Timing::time of the mapping's stream with the policy `add`, without that stream; the greatest of
/// all times if it is above `cutoff`.
std::int64_t simulated_time(const Architecture& architecture, const Partition& partition,
                            const Mapping& mapping, Mode mode, const run::Guard& guard,
                            std::int64_t cutoff);

}  // namespace pimbb::crossbar::schedule
