// Verdicts by the costs of the device; thresholds where these meet the optimum.
#include "dram_pim/proof/device_claim.hpp"

#include <algorithm>

namespace pimbb::dram_pim::proof {

using mapper::Costs;
using mapper::kInfinity;

namespace {

/// The largest number with a property that no larger one has once it is lost: -1 if 0 has not got
/// it, kInfinity if all have it.
template <class Property>
Int128 last_with(const Property& property) {
  if (!property(Int128{0})) return -1;
  Int128 low = 0;
  Int128 high = 1;
  while (high < kInfinity && property(high)) {
    low = high;
    high *= 2;
  }
  if (high >= kInfinity) return kInfinity;
  while (high - low > 1) {
    const Int128 middle = low + (high - low) / 2;
    (property(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

bool DeviceOptimum::uses(bool GoalTraits::*cost) const {
  const auto depends = [&](Goal goal) {
    const GoalTraits& of = traits(goal);
    const bool powered = cost == &GoalTraits::latency && of.energy;  // through the static power
    return of.*cost || (powered && device.static_power.sign() > 0);
  };
  return std::ranges::any_of(objective.goals, depends) ||
         std::ranges::any_of(caps, depends, &GoalCap::goal);
}

bool DeviceOptimum::trades_off() const {
  const auto weighs = [&](Goal goal) {
    return dram_pim::trades_off(goal) || (traits(goal).energy && device.static_power.sign() > 0);
  };
  return std::ranges::any_of(objective.goals, weighs) ||
         std::ranges::any_of(caps, weighs, &GoalCap::goal);
}

bool DeviceOptimum::within_caps(const GoalCosts& costs) const {
  return std::ranges::all_of(
      caps, [&](const GoalCap& cap) { return objective.value(cap.goal, costs) <= cap.most; });
}

bool DeviceOptimum::exceeds(const GoalCosts& costs) const {
  if (!within_caps(costs)) return false;
  for (std::size_t g = 0; g < values.size(); ++g) {
    const Rational value = objective.value(objective.goals[g], costs);
    if (value != values[g]) return value < values[g];
  }
  return values.empty();
}

bool DeviceOptimum::exceeds_at_once(const GoalCosts& costs) const {
  return within_caps(costs) &&
         (values.empty() || objective.value(objective.goals.front(), costs) < values.front());
}

DeviceClaim::DeviceClaim(const mapper::Scale& scale, const DeviceOptimum& optimum,
                         const std::vector<device::Offer>& offers, const GoalCosts& least)
    : scale_(scale),
      optimum_(optimum),
      offers_(offers),
      target_(scale, {{Goal::latency}, 0, 0},
              optimum.uses_latency()  ? Goal::latency
              : optimum.uses_energy() ? Goal::energy
                                      : Goal::activations) {
  // Limits that exclude nothing, on the other costs that count.
  if (optimum.uses_energy()) target_.add_cap(Goal::energy, Wide::infinity());
  if (optimum.uses_activations()) target_.add_cap(Goal::activations, Wide::infinity());
  choose_thresholds(least);
  for (std::size_t k = 0; k < thresholds_.size(); ++k) {
    const Int128 latency = k == 0 ? 0 : thresholds_[k - 1] + 1;
    most_energy_.push_back(last_with([&](Int128 energy) {
      return refuted_exactly({latency, energy, 0});
    }));
  }
}

GoalCosts DeviceClaim::unscaled(const Costs& costs) const {
  return {scale_.latency(costs.latency), scale_.energy(costs.energy),
          scale_.activations(costs.activations)};
}

bool DeviceClaim::refuted_exactly(const Costs& costs) const {
  const GoalCosts slice = unscaled(costs);
  return std::ranges::any_of(
      offers_, [&](const device::Offer& offer) { return optimum_.refuted_by(offer, slice); });
}

Verdict DeviceClaim::verdict(const Costs& least) const {
  const auto k = static_cast<std::size_t>(std::ranges::lower_bound(thresholds_, least.latency) -
                                          thresholds_.begin());
  if (least.energy > most_energy_[k]) return Verdict::bound;
  return refuted_exactly(least) ? Verdict::open : Verdict::bound;
}

/// The greatest latencies that a mapping can have that refutes the claim, at once or with a later
/// goal: how much energy is spent then? Where latency is weighed against energy, more between.
void DeviceClaim::choose_thresholds(const GoalCosts& least) {
  std::set<Int128> found{kInfinity};
  const auto greatest = [&](const auto& refutes) {
    return last_with([&](Int128 scaled) {
      const GoalCosts at{max(least.latency, scale_.latency(scaled)), least.energy,
                         least.activations};
      return std::ranges::any_of(offers_, [&](const device::Offer& offer) {
        return refutes(device::costs_under(optimum_.device, offer, at));
      });
    });
  };
  if (optimum_.uses_latency() && optimum_.uses_energy()) {
    const Int128 most = greatest([&](const GoalCosts& c) { return optimum_.exceeds(c); });
    const Int128 better = greatest([&](const GoalCosts& c) { return optimum_.exceeds_at_once(c); });
    for (const Int128 threshold : {most, better}) {
      if (threshold >= 0) found.insert(threshold);
    }
    if (most >= 0 && most < kInfinity && optimum_.trades_off()) {
      const Int128 first =
          last_with([&](Int128 scaled) { return scale_.latency(scaled) <= least.latency; });
      spread(found, first, most);
    }
  }
  thresholds_.assign(found.begin(), found.end());
}

}  // namespace pimbb::dram_pim::proof
