// Real problems: the simple_pim accelerator and the layers of ResNet-18.
#pragma once

#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace testkit {

pimbb::dram_pim::Architecture simple_pim();
std::vector<pimbb::Workload> resnet18_layers();  ///< distinct shapes

}  // namespace testkit
