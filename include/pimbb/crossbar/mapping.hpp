// A mapping: how often each array node is replicated, and how many of its array groups each core
// holds. Which ones these are is not chosen: the array groups of a node are numbered by ascending
// core; group i is row block i mod A of replica i div A.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/crossbar/partition.hpp"

namespace pimbb::crossbar {

struct Share {
  std::size_t array = 0;    ///< index in Partition::arrays
  std::int64_t groups = 0;  ///< array groups of it, >= 1
  friend bool operator==(const Share&, const Share&) = default;
};

struct Mapping {
  std::vector<std::int64_t> replication;  ///< R, for each of Partition::arrays
  std::vector<std::vector<Share>> cores;  ///< for each core of all chips, ascending by array
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

struct Violation {
  std::string rule;  ///< "cores", "shares", "replication", "groups", "crossbars", "nodes", "memory"
  std::string where;    ///< the node, or "core 3"
  std::string message;  ///< what was found and what is allowed
};

/// The first rule that `mapping` breaks, or nothing if it is feasible. Local memory counts only if
/// the architecture enforces it, for the high-throughput schedule with sums in place (`add`).
std::optional<Violation> find_violation(const Architecture& architecture,
                                        const Partition& partition, const Mapping& mapping);

}  // namespace pimbb::crossbar
