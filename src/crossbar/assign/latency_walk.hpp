// Walks over replications for a lower `ll`: many small changes, of which worse ones are accepted
// too, ever more rarely (simulated annealing).
//
// In networks of equal modules one after the other, a path is as slow as the slowest node of its
// kind in any of them: one more replica of a single node costs room and gains nothing before the
// others have one more too. Steps therefore change all families of a *role*: of equal windows, that
// wait alike and stand between nodes that wait alike. Replications may need somewhat more crossbars
// than there are, at the price of crossbars in the lower bound.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "crossbar/assign/allocation.hpp"

namespace pimbb::crossbar::assign {

/// Families of equal role, each ascending, in the order of their first ones.
std::vector<std::vector<std::size_t>> roles(const Problem& problem);

struct LatencyWalk {
  std::uint64_t steps = 0;
  double price = 0;  ///< ns, of a crossbar beyond those that there are
  double heat = 0;   ///< ns, of the loss that is accepted every other time at first
  std::uint64_t seed = 1;
  std::function<bool()> stop = {};
  /// MVMs, idle ones included, that the replication may need, of so many array groups of a replica
  /// by family (empty: none); and the price of further ones on the way, ns.
  std::vector<std::int64_t> groups = {};
  std::int64_t most_work = std::numeric_limits<std::int64_t>::max();
  double price_of_work = 0;
  double enough = 0;  ///< ns; the walk ends where `ll` is no more
};

/// The replication with room and time of least `ll` on a walk from `from`, within the box; the
/// beginning if there is none.
std::vector<std::int64_t> walk(const Problem& problem, const Paths& paths, const Box& box,
                               const std::vector<std::int64_t>& from, const LatencyWalk& how);

}  // namespace pimbb::crossbar::assign
