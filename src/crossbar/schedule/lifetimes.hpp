// The blocks of output that a core keeps during a simulated schedule, from the end of the
// multiplication that makes them, or the arrival of a message, to the end of their last reader.
#pragma once

#include <vector>

#include "crossbar/schedule/timing.hpp"

namespace pimbb::crossbar::schedule {

/// A block that is alive in [from, to).
struct Block {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t bytes = 0;
};

/// By core. A SEND to another chip reads its block until its bus transfer ends. Blocks that live no
/// time are left out.
std::vector<std::vector<Block>> blocks(const Architecture& architecture, const Stream& stream,
                                       const Timing& timing);

/// The most bytes alive at once.
std::int64_t most_alive(const std::vector<Block>& blocks);

}  // namespace pimbb::crossbar::schedule
