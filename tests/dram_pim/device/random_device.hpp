// Random problems on devices that are small enough to try every split.
#pragma once

#include "pimbb/dram_pim/device_cost.hpp"
#include "support/instances.hpp"

namespace testkit {

struct DeviceInstance {
  pimbb::dram_pim::Device device;
  pimbb::Workload layer;
  pimbb::dram_pim::Moves moves = pimbb::dram_pim::kDefaultMoves;
  pimbb::dram_pim::Objective objective;
  pimbb::dram_pim::RowModel row_model = pimbb::dram_pim::RowModel::trace;
};

/// The problem of a number: up to three levels of up to four children.
DeviceInstance random_device_instance(std::uint64_t seed, const Size& size = {.macs = 24});

/// Other goals with the same weights of a blend.
void set_goals(pimbb::dram_pim::Objective& objective, std::string_view goals);

}  // namespace testkit
