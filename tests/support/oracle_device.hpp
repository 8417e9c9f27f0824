// What a split over the units of a device costs, by counting its blocks one by one.
//
// The children of a level are enumerated; a block is the set of positions of its child in the
// dimensions that a tensor has. Partial sums are counted for one output on its way to the host.
#pragma once

#include "pimbb/dram_pim/device_cost.hpp"
#include "support/fraction.hpp"

namespace oracle {

struct DeviceCosts {
  Fraction latency, energy, activations;
  Fraction in, out, run;
  Fraction link_energy, adds;
  Fraction units;

  [[nodiscard]] Fraction value(pimbb::dram_pim::Goal goal,
                               const pimbb::dram_pim::Objective& objective) const;
};

/// With the slice's latency, energy and activations on one unit.
DeviceCosts device_costs(const pimbb::dram_pim::Device& device, const pimbb::Workload& layer,
                         const pimbb::dram_pim::Moves& moves, const pimbb::dram_pim::Split& split,
                         const pimbb::Factors& slice, const Fraction& latency,
                         const Fraction& energy, const Fraction& activations);

/// Whether a split is allowed for blocks of these bounds (docs/devices.md, rules 1, 2 and 4).
bool splits(const pimbb::dram_pim::Device& device, const pimbb::Workload& layer,
            const pimbb::dram_pim::Moves& moves, const pimbb::dram_pim::Split& split,
            const pimbb::Factors& slice);

/// Every split of a device, whether it leaves units idle or not.
std::vector<pimbb::dram_pim::Split> every_split(const pimbb::dram_pim::Device& device);

/// Every split that may be of use, which are fewer: no factor exceeds the bound of its dimension.
std::vector<pimbb::dram_pim::Split> every_split(const pimbb::dram_pim::Device& device,
                                                const pimbb::Factors& bounds);

}  // namespace oracle
