// Lower bounds of `ht` by counting.
//
//   load       all multiplications, shared evenly by all cores
//   cycles     the fewest cycles for which the replicas that they need have room
//   mandatory  if no narrower node fits beside k array groups of width w0 or more, of which a core
//              holds no more, the cores with fewer than k of them do all the narrower nodes
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "crossbar/assign/problem.hpp"

namespace pimbb::crossbar::assign {

struct ThroughputBounds {  ///< ns
  std::int64_t load = 0;
  std::int64_t cycles = 0;
  std::int64_t mandatory = 0;
  [[nodiscard]] std::int64_t best() const { return std::max({load, cycles, mandatory}); }
};

/// Of all mappings; nothing if the array groups of one replica of each node have no room.
std::optional<ThroughputBounds> throughput_bounds(const Problem& problem);

/// The bound `mandatory` of mappings with these numbers of array groups and of multiplications, by
/// array; nothing if there is no such mapping.
std::optional<std::int64_t> mandatory_bound(const Problem& problem,
                                            const std::vector<std::int64_t>& groups,
                                            const std::vector<std::int64_t>& work);

}  // namespace pimbb::crossbar::assign
