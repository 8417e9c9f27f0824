// The partition of a network: each array node as array groups, which crossbars hold.
//
//     weight matrix of a node                  a replica: A = 3 array groups,
//         width (output channels)              each w = 2 crossbars wide
//       +---------+-----+                        +----+----+
//       |         |     |                  AG 0  |    |    |
//  h    +---------+-----+  rows of a       AG 1  |    |    |
//       |         |     |  crossbar        AG 2  |    |    |
//       +---------+-----+                        +----+----+
//
// An array group (AG) multiplies one block of rows; it never spans cores. A node that is wider than
// a core is split into parts, which are nodes of their own in its place.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pimbb/crossbar/architecture.hpp"
#include "pimbb/crossbar/graph.hpp"

namespace pimbb::crossbar {

struct ArrayNode {
  std::size_t node = 0;      ///< in the partition's graph
  std::int64_t groups = 1;   ///< A, array groups of a replica
  std::int64_t width = 1;    ///< w, crossbars of an array group
  std::int64_t windows = 1;  ///< W, pixels that the node computes
  std::size_t family = 0;    ///< index of the first part; its own for nodes that are not split
};

struct Partition {
  NodeGraph graph;                ///< with parts ("conv.0", "conv.1", ...) in their nodes' places
  std::vector<ArrayNode> arrays;  ///< by ascending node
  std::vector<std::optional<std::size_t>> array_of;  ///< by node: its index in `arrays`
  std::vector<std::size_t> operands;              ///< by node: tensors that it reads, parts as one
  std::vector<std::vector<std::size_t>> sources;  ///< by node: whose tensors it reads, looking
                                                  ///< through Concat and pass-through nodes
  std::vector<std::vector<std::size_t>> consumers;  ///< by node: direct readers, ascending

  [[nodiscard]] const Node& node(const ArrayNode& array) const { return graph.nodes[array.node]; }
};

/// Validates both. Throws InputError; LimitError if times could exceed 62 bits.
Partition make_partition(const Architecture& architecture, const NodeGraph& graph);

}  // namespace pimbb::crossbar
