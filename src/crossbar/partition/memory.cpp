// Blocks by the figures of a part: k array groups of its own, r other parts whose sums it receives.
#include "crossbar/partition/memory.hpp"

#include <algorithm>

namespace pimbb::crossbar::partition {
namespace {

std::int64_t output_blocks(BlockPolicy policy, std::int64_t k, std::int64_t r, bool home) {
  switch (policy) {
    case BlockPolicy::naive: return 2 * (k + r) - 1 + (home ? 1 : 0);
    case BlockPolicy::add: return k + r;
    case BlockPolicy::ag: return std::min<std::int64_t>(k, 3) + (k < 2 && r > 0 ? 1 : 0);
  }
  return 0;
}

}  // namespace

std::vector<std::int64_t> local_memory(const Architecture& a, const Partition& partition,
                                       const std::vector<Placement>& placements,
                                       BlockPolicy policy) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(a.all_cores()), 0);
  const std::int64_t inputs = 2 * a.bytes(a.core.rows);
  for (std::size_t v = 0; v < placements.size(); ++v) {
    const std::vector<Part>& parts = placements[v].parts;
    const std::int64_t block = a.bytes(partition.node(partition.arrays[v]).out.channels);
    for (std::size_t first = 0, last = 0; first < parts.size(); first = last) {
      while (last < parts.size() && parts[last].replica == parts[first].replica) ++last;
      for (std::size_t i = first; i < last; ++i) {
        const bool home = i == first;
        const auto received = home ? static_cast<std::int64_t>(last - first - 1) : 0;
        bytes[static_cast<std::size_t>(parts[i].core)] +=
            parts[i].groups * inputs +
            block * output_blocks(policy, parts[i].groups, received, home);
      }
    }
  }
  return bytes;
}

}  // namespace pimbb::crossbar::partition
