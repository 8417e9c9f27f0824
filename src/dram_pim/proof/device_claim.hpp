// What is claimed of a layer on a whole device, and what this says of the mappings of one slice.
//
// Let z be the optimum of the device, goal by goal. A tree of a slice claims that under none of the
// offers that its splits make is there a mapping with which the device would cost less: be within
// the limits, and below z in the first goal in which it differs from it. Latency, energy and
// activations of the device grow with those of the slice, so the costs of the device at lower
// bounds of a slice's costs are lower bounds, too: one tree is about all goals and all offers.
#pragma once

#include <vector>

#include "dram_pim/device/offers.hpp"
#include "dram_pim/proof/claim.hpp"

namespace pimbb::dram_pim::proof {

/// The claim of a whole device.
struct DeviceOptimum {
  const Device& device;
  const Objective& objective;
  std::vector<GoalCap> caps;
  std::vector<Rational> values;  ///< by goal; empty: no mapping is within the limits

  /// Whether costs are within the limits and, in the order of the goals, below the optimum.
  [[nodiscard]] bool exceeds(const GoalCosts& costs) const;
  /// The same, but in the first goal already.
  [[nodiscard]] bool exceeds_at_once(const GoalCosts& costs) const;
  /// Whether a mapping of a slice with these costs would refute the claim, whatever follows.
  [[nodiscard]] bool refuted_by(const device::Offer& offer, const GoalCosts& slice) const {
    return exceeds(device::costs_under(device, offer, slice));
  }
  /// Whether a goal or a limit depends on a cost of a slice.
  [[nodiscard]] bool uses_latency() const { return uses(&GoalTraits::latency); }
  [[nodiscard]] bool uses_energy() const { return uses(&GoalTraits::energy); }
  [[nodiscard]] bool uses_activations() const { return uses(&GoalTraits::activations); }
  /// Whether some goal or limit weighs latency against energy.
  [[nodiscard]] bool trades_off() const;

 private:
  [[nodiscard]] bool uses(bool GoalTraits::*cost) const;
  [[nodiscard]] bool within_caps(const GoalCosts& costs) const;
};

class DeviceClaim : public AnyClaim {
 public:
  /// Of a slice none of whose mappings costs less than `least`. Keeps references.
  DeviceClaim(const mapper::Scale& scale, const DeviceOptimum& optimum,
              const std::vector<device::Offer>& offers, const GoalCosts& least);

  [[nodiscard]] Verdict verdict(const mapper::Costs& least) const override;
  [[nodiscard]] bool settles(Verdict verdict) const override { return verdict != Verdict::open; }
  [[nodiscard]] bool has_closed_trees() const override { return true; }
  [[nodiscard]] const mapper::Target& target() const override { return target_; }
  [[nodiscard]] const std::vector<Int128>& thresholds() const { return thresholds_; }

 private:
  [[nodiscard]] GoalCosts unscaled(const mapper::Costs& costs) const;
  [[nodiscard]] bool refuted_exactly(const mapper::Costs& costs) const;
  void choose_thresholds(const GoalCosts& least);

  const mapper::Scale& scale_;
  const DeviceOptimum& optimum_;
  const std::vector<device::Offer>& offers_;
  mapper::Target target_;
  std::vector<Int128> thresholds_;
  /// By threshold: slower than the one before, nothing that spends more refutes the claim.
  std::vector<Int128> most_energy_;
};

}  // namespace pimbb::dram_pim::proof
