// Results as tables for spreadsheets and scripts: --csv. One row for each layer or node;
// every row says by itself what it is about.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/device_network.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"
#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim::cli {

std::string network_csv(const Architecture& architecture, const Network& network,
                        const Question& question, const RunLimits& limits,
                        const NetworkSolution& solution);
/// The same of a network on a device.
std::string device_network_csv(const Device& device, const Network& network,
                               const Question& question, const RunLimits& limits,
                               const DeviceNetworkSolution& solution);
std::string plan_csv(const Architecture& architecture, const Network& network,
                     const Question& question, const LayoutPlan& plan);

}  // namespace pimbb::dram_pim::cli
