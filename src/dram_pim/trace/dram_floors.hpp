// Lower bounds on the row activations of all tensors below one row-buffer tile, before any loop
// order is decided: the tables of order_floor.hpp over the DRAM's loops, for each layout that a
// tensor may have, and at least the number of rows that the whole tensor occupies (row_table.hpp).
// An input of free order has two sequential layouts (RowTable::sequential_inputs).
//
// A row-aligned tensor opens one row for all tiles inside the row-buffer tile. A sequential one has
// a table over the row buffer's loops too. It depends only on the factors of the inner tile that
// are relevant to the tensor, of which there are far fewer than tiles, so it is kept. There is one
// DramFloors for every node: what it keeps comes from a few pieces of memory.
#pragma once

#include <array>
#include <memory_resource>
#include <optional>
#include <unordered_map>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/trace/order_floor.hpp"

namespace pimbb::dram_pim::mapper {

class DramFloors {
 public:
  /// The DRAM's loops around `row_tile`, in the class of `at_dram`; `whole`: the tensors whose
  /// tiles inside the row buffer move as a whole, not in parts.
  DramFloors(const Instance& instance, TileIndex row_tile, LoopClass at_dram,
             const TensorFlags& whole);
  DramFloors(const DramFloors&) = delete;
  DramFloors& operator=(const DramFloors&) = delete;

  /// In units of 1/row, for any loops of the row buffer.
  [[nodiscard]] PerTensor<Int128> least() const;
  /// The same if the row buffer's loops lead to the tile `inner`, in the class `at_row_buffer`. Not
  /// thread-safe.
  [[nodiscard]] PerTensor<Int128> least(const Tile& inner, LoopClass at_row_buffer);

 private:
  using Inside = std::pmr::unordered_map<std::uint32_t, OrderFloor>;
  struct Sequential {                  // a sequential layout of a tensor
    const Architecture* architecture;  // with the order of the input
    LoopsFurtherOut at_dram;           // the DRAM's loops
    Inside inside;                     // by relevant part
  };
  struct OfTensor {                                       // the layouts that are allowed
    std::array<std::optional<Sequential>, 2> sequential;  // the input may have two
    std::optional<LoopsFurtherOut> aligned;
  };

  void add_sequential(Tensor t, std::size_t k, const Architecture& architecture, LoopClass of_dram);
  [[nodiscard]] LoopsFurtherOut at_dram(const Moved& layout, LoopClass of_dram) const;
  [[nodiscard]] Moved moved(const Architecture& architecture, Tensor t, Layout layout) const;
  const OrderFloor& floor_inside(Tensor t, Sequential& layout, const Tile& inner);
  void forget_insides();
  template <class Rows>
  [[nodiscard]] PerTensor<Int128> scaled(const Rows& rows) const;

  const Instance& instance_;
  TileIndex row_tile_;
  TensorFlags whole_;
  PerTensor<Int128> tensor_rows_;  // scaled
  std::pmr::monotonic_buffer_resource memory_{1024};
  PerTensor<OfTensor> tensors_;
  std::size_t kept_ = 0;  // tables
};

}  // namespace pimbb::dram_pim::mapper
