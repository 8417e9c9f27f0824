// Sums over the layers of a network, goal by goal, with their bounds and status.
#pragma once

#include <vector>

#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim::network {

/// One number for each goal of a list, compared lexicographically.
using Values = std::vector<Rational>;

Values& operator+=(Values& a, const Values& b);

/// The factor of a layer in the totals: weight times repetitions.
Rational times(const NetworkLayer& layer);

void add(NetworkTotals& totals, const NetworkLayer& layer, const Metrics& metrics);

/// The values of the goals for a mapping.
Values values_of(const Objective& objective, const Metrics& metrics);
/// The same for totals.
Values values_of(const Objective& objective, const NetworkTotals& totals);

/// A lexicographic lower bound of the goals over all mappings: the proven bounds up to the first
/// goal with a gap, and 0 for the goals after it, whose bounds hold only among mappings that are
/// optimal in the earlier goals.
Values floor_of(const std::vector<GoalResult>& goals);

/// Goals with their values and with the bounds that follow from a lexicographic lower bound.
std::vector<GoalResult> results(const Objective& objective, const Values& value,
                                const Values& floor);

/// The weaker status of two layers, which is that of the network: a missing mapping is weaker than
/// a missing proof, and infeasibility is weaker than an unknown mapping.
Status weaker(Status a, Status b);

}  // namespace pimbb::dram_pim::network
