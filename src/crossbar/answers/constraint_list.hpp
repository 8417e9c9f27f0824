// The constraints of a network's mapping, each with how to do without it and how to change its
// number.
//
// More chips, cores, crossbars, nodes in a core, rows, columns and local memory, fewer slices and
// bits, and shorter times never hurt, with two exceptions below. Of rows, columns and slices: array
// groups become fewer or narrower, never more. Of crossbars, and of columns and slices where a node
// is wider than a core: of w = q X + r crossbars (0 <= r < X) the q parts of width X each fill a
// core with every array group, and the part of width r stands in some core. Whatever X' >= X or
// w' <= w makes of it, q' X' + r', either q' = q and r' <= r, which stands where r did (of w':
// r' <= r as X is the same), or q' < q, and then all its parts stand in cores that were full of one
// part. No core gets more nodes or array groups, and no replication changes.
//
// If local memory is enforced, wider parts have larger blocks of outputs, and longer rows larger
// ones of inputs: then rows, columns and slices are none of the constraints, and the crossbars of a
// core are, with today's parts, a limit of room.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "crossbar/answers/searches.hpp"
#include "pimbb/explanation.hpp"

namespace pimbb::crossbar::within {

struct NetworkConstraint {
  ProblemConstraint constraint;
  std::function<void(Asked&)> drop;
  /// Another value of its number; empty for limits.
  std::function<void(Architecture&, std::int64_t)> set = {};
  std::int64_t farthest = 0;  ///< from today's value on, the last one that may help more
  bool is_monotone = true;    ///< values nearer to `farthest` help more
  std::optional<Goal> limited = {};
};

/// In the order in which deletion tries to do without them. `asked` is the problem.
std::vector<NetworkConstraint> constraints_of(const Asked& asked, const NodeGraph& graph);

}  // namespace pimbb::crossbar::within
