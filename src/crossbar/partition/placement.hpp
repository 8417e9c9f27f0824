// Where the replicas of a node are, as follows from the numbering of its array groups.
//
// With A = 3 and cores that hold 2, 3 and 1 groups, replica 0 has two groups in core 0 and one in
// core 1; replica 1 has two in core 1 and one in core 2. The home of a replica is the core of its
// first group; the partial sums of its other parts are sent there.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::partition {

/// The groups of one replica that one core holds.
struct Part {
  std::int64_t replica = 0;
  std::int64_t core = 0;
  std::int64_t groups = 0;
  std::int64_t home = 0;  ///< core of the replica's group 0
  [[nodiscard]] bool at_home() const { return core == home; }
};

struct Placement {
  std::vector<Part> parts;           ///< by replica, then by core
  std::vector<std::int64_t> homes;   ///< by replica
  std::vector<std::int64_t> cores;   ///< that hold groups, ascending
  std::vector<std::int64_t> blocks;  ///< for each of these cores: groups that are row block 0
};

/// For each of Partition::arrays; the mapping is feasible but for local memory.
std::vector<Placement> placements(const Partition& partition, const Mapping& mapping);

/// ceil(W / R)
std::int64_t cycles(const ArrayNode& array, std::int64_t replication);

/// Windows of a replica, in both modes: the first W mod R replicas have one more.
std::int64_t windows_of(const ArrayNode& array, std::int64_t replication, std::int64_t replica);

}  // namespace pimbb::crossbar::partition
