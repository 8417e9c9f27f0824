// Pricing splits, and leaving out what is dominated.
#include "dram_pim/device/offers.hpp"

#include <algorithm>

namespace pimbb::dram_pim::device {
namespace {

Offer offer_of(const Device& device, const SplitCost& cost, Split split) {
  const Rational time = device.phases == Phases::sequential ? device.launch + cost.in + cost.out
                                                            : max(cost.in, cost.out);
  return {time, cost.link_energy + cost.reduce_energy, cost.units, std::move(split)};
}

bool no_worse(const Offer& a, const Offer& b) {
  return a.time <= b.time && a.energy <= b.energy && a.units <= b.units;
}

std::vector<Offer> undominated(std::vector<Offer> offers) {
  std::ranges::stable_sort(offers, {}, &Offer::time);
  std::vector<Offer> kept;
  for (Offer& offer : offers) {
    if (std::ranges::any_of(kept, [&](const Offer& other) { return no_worse(other, offer); })) {
      continue;
    }
    std::erase_if(kept, [&](const Offer& other) { return no_worse(offer, other); });
    kept.push_back(std::move(offer));
  }
  return kept;
}

}  // namespace

std::vector<Offer> offers_of(const Device& device, const Workload& layer, const Moves& moves,
                             std::vector<Split> splits, const Factors& bounds) {
  std::vector<Offer> all;
  for (Split& split : splits) {
    const SplitCost cost = split_cost(device, layer, moves, split, bounds);
    all.push_back(offer_of(device, cost, std::move(split)));
  }
  return undominated(std::move(all));
}

GoalCosts costs_under(const Device& device, const Offer& offer, const GoalCosts& slice) {
  SplitCost cost;
  cost.in = device.phases == Phases::sequential ? offer.time - device.launch : offer.time;
  cost.link_energy = offer.energy;
  cost.units = offer.units;
  return device_costs(device, cost, slice);
}

}  // namespace pimbb::dram_pim::device
