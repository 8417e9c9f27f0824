// Answers of networks on devices, compared.
#pragma once

#include "pimbb/dram_pim/device_network.hpp"

namespace testkit {

/// Checks that two searches found the same: status, effort, and each layer's mapping.
void check_same(const pimbb::dram_pim::DeviceNetworkSolution& one,
                const pimbb::dram_pim::DeviceNetworkSolution& two);

}  // namespace testkit
