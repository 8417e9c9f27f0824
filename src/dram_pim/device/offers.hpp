// What the splits into slices of some bounds offer: for each split the transfers, the energy of the
// links and the units that run, whatever mapping the slices have.
//
// The device's costs grow with all three, so an offer that another one undercuts in none of them is
// of no use.
#pragma once

#include "dram_pim/device/region.hpp"

namespace pimbb::dram_pim::device {

/// Of splits into slices of these bounds, those that no other one beats; of equal ones the first.
std::vector<Offer> offers_of(const Device& device, const Workload& layer, const Moves& moves,
                             std::vector<Split> splits, const Factors& bounds);

/// The costs of the device under an offer.
GoalCosts costs_under(const Device& device, const Offer& offer, const GoalCosts& slice);

}  // namespace pimbb::dram_pim::device
