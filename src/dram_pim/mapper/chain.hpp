// A chain of tiles, decided from the DRAM down to some level, with the loop classes between.
//
// The class of a level's loops (nest/steps.hpp) determines the traffic. If the row activations
// depend on the complete order, the orders of the row buffer's and the DRAM's loops are decided
// too, together with the layouts.
#pragma once

#include <array>

#include "dram_pim/mapper/storage.hpp"
#include "nest/loop_order.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::mapper {

/// The loop orders of all levels of a chain, by level.
using Orders = std::array<LoopOrder, kMaxLevels>;

/// Decisions from the DRAM down to some level.
struct Chain {
  std::array<TileIndex, kMaxLevels> tile{};     ///< per level
  std::array<LoopClass, kMaxLevels> classes{};  ///< of the loops of each level >= 1
  PerTensor<Layout> layout{};
  std::uint64_t orders = 1;        ///< mappings of the classes so far
  bool ordered = false;            ///< trace: orders, layouts and block are decided
  std::array<LoopOrder, 2> order;  ///< then: of the row buffer's and the DRAM's loops
  Block block;
  InputOrder input_order = InputOrder::nchw;
};

}  // namespace pimbb::dram_pim::mapper
