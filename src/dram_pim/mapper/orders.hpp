// The loop orders of all levels of a chain.
#pragma once

#include <array>

#include "dram_pim/mapper/storage.hpp"
#include "nest/loop_order.hpp"

namespace pimbb::dram_pim::mapper {

using Orders = std::array<LoopOrder, kMaxLevels>;  ///< by level

}  // namespace pimbb::dram_pim::mapper
