// Everything that a tiny layer can be on a device: every split, every slice, every mapping.
#pragma once

#include <functional>
#include <vector>

#include "dram_pim/device/random_device.hpp"
#include "pimbb/dram_pim/device_cost.hpp"
#include "support/oracle_device.hpp"

namespace exhaust {

/// Costs with the bounds of the slice that has them.
using VisitDevice = std::function<void(const pimbb::Factors&, const oracle::DeviceCosts&)>;

/// Calls `visit` for all mappings of a layer, but for those of a slice that another one of the same
/// slice beats in latency, energy and activations.
void each_on_device(const pimbb::dram_pim::Device& device, const pimbb::Workload& layer,
                    const pimbb::dram_pim::Moves& moves, pimbb::dram_pim::RowModel row_model,
                    const VisitDevice& visit);

/// The same with the split.
using VisitSplit = std::function<void(const pimbb::dram_pim::Split&, const pimbb::Factors&,
                                      const oracle::DeviceCosts&)>;
void each_split_on_device(const pimbb::dram_pim::Device& device, const pimbb::Workload& layer,
                          const pimbb::dram_pim::Moves& moves, pimbb::dram_pim::RowModel row_model,
                          const VisitSplit& visit);

/// The least values of the goals in turn, over all mappings; none if there is no mapping.
std::vector<oracle::Fraction> least_on_device(const testkit::DeviceInstance& instance);

}  // namespace exhaust
