// Array groups dealt out to replicas, core by core.
#include "crossbar/partition/placement.hpp"

#include <algorithm>

namespace pimbb::crossbar::partition {
namespace {

/// The next groups of a node, which are those of `core`.
void place(Placement& at, std::int64_t all_of_replica, std::int64_t& next, std::int64_t core,
           std::int64_t groups) {
  at.cores.push_back(core);
  at.blocks.push_back(0);
  for (std::int64_t left = groups; left > 0;) {
    const std::int64_t replica = next / all_of_replica;
    const std::int64_t block = next % all_of_replica;
    if (block == 0) {
      at.homes.push_back(core);
      ++at.blocks.back();
    }
    const std::int64_t here = std::min(left, all_of_replica - block);
    at.parts.push_back({replica, core, here, at.homes.back()});
    next += here;
    left -= here;
  }
}

}  // namespace

std::vector<Placement> placements(const Partition& partition, const Mapping& mapping) {
  std::vector<Placement> all(partition.arrays.size());
  std::vector<std::int64_t> next(partition.arrays.size(), 0);
  for (std::size_t c = 0; c < mapping.cores.size(); ++c) {
    for (const Share& share : mapping.cores[c]) {
      place(all[share.array], partition.arrays[share.array].groups, next[share.array],
            static_cast<std::int64_t>(c), share.groups);
    }
  }
  return all;
}

std::int64_t cycles(const ArrayNode& array, std::int64_t replication) {
  return (array.windows + replication - 1) / replication;
}

std::int64_t windows_of(const ArrayNode& array, std::int64_t replication, std::int64_t replica) {
  return array.windows / replication + (replica < array.windows % replication ? 1 : 0);
}

}  // namespace pimbb::crossbar::partition
