// Every layout that a tensor may have, with its row activations under a closed row model.
//
// The search takes the layout with the fewest activations (mapper/row_table.hpp); whoever lists all
// mappings needs each of them. What is slow to compute, crossings of blocks and micro-traces, is
// kept for each tile of the input.
#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "dram_pim/mapper/instance.hpp"

namespace pimbb::dram_pim::answers {

struct LayoutPick {
  Layout layout = Layout::sequential;
  Block block{};                              ///< of a row-aligned input
  InputOrder input_order = InputOrder::nchw;  ///< of a sequential input, if its order is free
};

struct PricedLayout {
  LayoutPick pick;
  Int128 activations = 0;  ///< N_act in units of 1/row
};

class LayoutMenu {
 public:
  /// Keeps a reference to the instance. `layouts`: its ranges.
  LayoutMenu(const mapper::Instance& instance, LayoutRanges layouts)
      : instance_(instance), layouts_(std::move(layouts)) {}

  /// The layouts of tensor t for row-buffer tile `i` under these loop orders. Thread-safe.
  [[nodiscard]] std::vector<PricedLayout> of(mapper::TileIndex i, Tensor t,
                                             const rows::RowReuse& reuse) const;
  /// The orders that a sequential input may have, all of them.
  [[nodiscard]] std::vector<InputOrder> input_orders() const;

 private:
  struct InputTile {
    std::vector<std::pair<Block, std::int64_t>> crossings;  // by admissible block
    std::vector<Int128> micro;                              // by order of input_orders()
  };
  [[nodiscard]] const InputTile& input_tile(mapper::TileIndex i) const;

  const mapper::Instance& instance_;
  LayoutRanges layouts_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<mapper::TileIndex, InputTile> inputs_;  // by tile without K
};

}  // namespace pimbb::dram_pim::answers
