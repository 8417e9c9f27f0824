// Offsets in local memory for blocks with given lifetimes: blocks that are alive at once do not
// overlap, and the highest end is as low as possible (dynamic storage allocation, which is
// NP-hard for blocks of different sizes).
#pragma once

#include <vector>

#include "crossbar/schedule/lifetimes.hpp"

namespace pimbb::crossbar::schedule {

struct Heights {
  std::int64_t height = 0;  ///< bytes of an allocation
  std::int64_t least = 0;   ///< bytes: no allocation needs less
};

/// Blocks of one size always need `most_alive`. Others are placed by first fit, in the order of
/// birth and by decreasing size; where both need more, a branch and bound of limited effort tries
/// other orders.
Heights allocate(std::vector<Block> blocks, const run::Guard& guard);

}  // namespace pimbb::crossbar::schedule
