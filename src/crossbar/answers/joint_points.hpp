// Good mappings for the front before the search: walks over replications that are as fast as a
// deadline needs, packed by dealing out and exchanging array groups.
//
// A replication can meet a deadline only if no node has more cycles and all multiplications, idle
// ones included, fit the cores' time. Packings waste a little of that time, so each deadline is
// tried with several shares of it.
#pragma once

#include "crossbar/answers/joint_search.hpp"

namespace pimbb::crossbar::joint {

/// Adds mappings to those that `search` knows, for deadlines between its ends. What it finds does
/// not depend on the number of threads, unless it is stopped. `patient`: it does not end before.
/// Each mapping that is looked for counts as kNodesOfPoint boxes.
void look_for_points(const assign::Problem& problem, JointSearch& search, std::uint64_t seed,
                     bool patient, assign::Effort& effort, SolveStatistics& spent);

}  // namespace pimbb::crossbar::joint
