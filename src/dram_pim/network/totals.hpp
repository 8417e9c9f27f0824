// Sums over the layers of a network, goal by goal, and which of them are proven.
#pragma once

#include <vector>

#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim::network {

/// One number per goal of a list, compared in the order of the list.
using Values = std::vector<Rational>;

Values& operator+=(Values& a, const Values& b);

/// How often a layer counts: weight times repetitions.
Rational times(const NetworkLayer& layer);

void add(NetworkTotals& totals, const NetworkLayer& layer, const Metrics& metrics);

/// Values of the goals, of a mapping.
Values values_of(const Objective& objective, const Metrics& metrics);
/// Of the totals.
Values values_of(const Objective& objective, const NetworkTotals& totals);

/// A lower bound of `solution`'s goals over all mappings, in the order of lists: what is proven up
/// to the first goal that is not closed, and 0 from there on, since the next goal's bound holds
/// only among mappings that are best for those before.
Values floor_of(const std::vector<GoalResult>& goals);

/// Goals with values and the bounds that follow from a lower bound in the order of lists.
std::vector<GoalResult> results(const Objective& objective, const Values& value,
                                const Values& floor);

/// One layer without a mapping spoils the network more than one whose proof is missing, and a
/// proof that there is none more than not having found one.
Status weaker(Status a, Status b);

}  // namespace pimbb::dram_pim::network
