// Lower bounds on the row activations of all tensors below one row-buffer tile, before any loop
// order is decided: the tables of order_floor.hpp over the DRAM's loops, for each layout that a
// tensor may have, and at least the number of rows that the whole tensor occupies (row_table.hpp).
#pragma once

#include <utility>
#include <vector>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/trace/order_floor.hpp"

namespace pimbb::dram_pim::mapper {

class DramFloors {
 public:
  /// The DRAM's loops around `row_tile`, in the class of `at_dram`.
  DramFloors(const Instance& instance, TileIndex row_tile, LoopClass at_dram);

  /// In units of 1/row, for any loops of the row buffer.
  [[nodiscard]] PerTensor<Int128> least() const;
  /// The same if the row buffer's loops lead to the tile `inner`, in the class `at_row_buffer`;
  /// `whole`: the tensors whose tiles move as a whole, not in parts.
  [[nodiscard]] PerTensor<Int128> least(const Tile& inner, LoopClass at_row_buffer,
                                        const TensorFlags& whole) const;

 private:
  [[nodiscard]] Moved moved(Tensor t, Layout layout) const;
  template <class Rows>
  [[nodiscard]] PerTensor<Int128> scaled(const Rows& rows) const;

  const Instance& instance_;
  TileIndex row_tile_;
  PerTensor<std::vector<std::pair<Layout, OrderFloor>>> floors_;  // by layout that may be
};

}  // namespace pimbb::dram_pim::mapper
