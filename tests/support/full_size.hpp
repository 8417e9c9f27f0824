// Real problems: the simple_pim accelerator and the layers of ResNet-18.
#pragma once

#include <cstddef>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace testkit {

pimbb::dram_pim::Architecture simple_pim();
/// simple_pim with a second shared buffer; every level inside the row buffer has free bypass, which
/// makes 512 storage choices.
pimbb::dram_pim::Architecture free_bypass_pim();
std::vector<pimbb::Workload> resnet18_layers();  ///< distinct shapes
/// One of them; in slow builds (cases.hpp) with a quarter of its channels, rows and columns.
pimbb::Workload resnet18_layer(std::size_t k);

}  // namespace testkit
