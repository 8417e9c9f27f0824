// `ht`: the time of each core for one inference of its nodes, in cycles of multiplications.
//
// In cycle t a core starts one multiplication for every array group whose node has more than t
// cycles, `interval` apart; the cycle lasts until the next one may start, at least as long as one
// multiplication.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::cost {

/// ns of one core.
std::int64_t core_time(const Architecture& architecture, const Partition& partition,
                       const Mapping& mapping, const std::vector<Share>& core);

/// ns of every core.
std::vector<std::int64_t> core_times(const Architecture& architecture, const Partition& partition,
                                     const Mapping& mapping);

}  // namespace pimbb::crossbar::cost
