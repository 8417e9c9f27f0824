// The local memory that the high-throughput schedule needs: two input blocks for each array group,
// and the output blocks that a policy keeps for each part of a replica.
#pragma once

#include <cstdint>
#include <vector>

#include "crossbar/partition/placement.hpp"

namespace pimbb::crossbar::partition {

/// Policies whose blocks are counted without a schedule.
enum class BlockPolicy : std::uint8_t {
  naive,  ///< a block for every result and every message
  add,    ///< sums are made in place
  ag      ///< array groups take turns at three blocks
};

/// Bytes of every core.
std::vector<std::int64_t> local_memory(const Architecture& architecture, const Partition& partition,
                                       const std::vector<Placement>& placements,
                                       BlockPolicy policy);

}  // namespace pimbb::crossbar::partition
