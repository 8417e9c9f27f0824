// Which slices may lead to a mapping of the device that is no worse than a known one.
//
// Each cost of the device is linear in what is known of a slice: its latency and energy on one unit
// and the elements of its tensors, which the links move. What the known mapping costs is a limit on
// such a sum. There are hundreds of thousands of slices, so the sums are integers: weights rounded
// down, limits rounded up. A slice that passes may still be too expensive.
#pragma once

#include <array>
#include <vector>

#include "dram_pim/device/transfer_floor.hpp"
#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/scale.hpp"

namespace pimbb::dram_pim::device {

class SliceScreen {
 public:
  /// What all slices of a layer have in common.
  struct Setting {
    const Device& device;
    const Workload& layer;
    const Moves& moves;
    const TransferFloor& transfers;
    const mapper::Scale& scale;  ///< of the costs of slices
    const GoalCosts& whole;      ///< lower bounds of the costs of all mappings of the device
  };
  /// For a goal of an objective of which a mapping has the value `known`. Keeps references.
  SliceScreen(const Setting& setting, const Objective& objective, Goal goal, const Rational& known);

  /// Whether a slice may, of which `units` run at least, and whose costs are `least` at least.
  [[nodiscard]] bool passes(const Factors& bounds, std::int64_t units,
                            const mapper::Costs& least) const;
  /// The most that the latency of a slice that passes can be, in the units of the scale.
  [[nodiscard]] Int128 most_latency() const;

 private:
  enum Part : std::uint8_t { latency, energy, input, weight, output };  // energy: of all units
  static constexpr std::size_t kParts = 5;
  /// constant + sum of weights * parts
  struct Sum {
    Rational constant;
    std::array<Rational, kParts> weights;

    Sum& add(const Sum& other, const Rational& times);
  };
  struct Limit {
    std::array<Int128, kParts> weights{};
    Int128 most = 0;
  };

  [[nodiscard]] std::vector<Sum> latencies() const;
  [[nodiscard]] Sum energy_sum() const;
  [[nodiscard]] Rational bytes(Tensor t) const { return s_.device.unit.moved_bytes(t); }
  void add_limit(const Sum& sum, const Rational& most);
  void limit_latency(const Rational& most);

  const Setting s_;
  std::vector<Limit> limits_;
};

}  // namespace pimbb::dram_pim::device
