// A table for each tensor and layout.
#include "dram_pim/trace/dram_floors.hpp"

#include <algorithm>
#include <limits>

namespace pimbb::dram_pim::mapper {

DramFloors::DramFloors(const Instance& instance, TileIndex row_tile, LoopClass at_dram)
    : instance_(instance), row_tile_(row_tile) {
  const Lattice& lattice = instance.lattice;
  for (const Tensor t : kAllTensors) {
    const auto add = [&](Layout layout) {
      floors_[index(t)].emplace_back(
          layout, OrderFloor(moved(t, layout), lattice[row_tile].c, lattice[lattice.top()].c, false,
                             innermost_dims(at_dram), nullptr));
    };
    if (instance.rows.can_be_sequential(t)) add(Layout::sequential);
    if (instance.rows.can_align(row_tile, t)) add(Layout::row_aligned);
  }
}

PerTensor<Int128> DramFloors::least() const {
  return scaled([&](Tensor t) {
    std::int64_t rows = std::numeric_limits<std::int64_t>::max();
    for (const auto& [layout, floor] : floors_[index(t)]) rows = std::min(rows, floor.least(false));
    return rows;
  });
}

PerTensor<Int128> DramFloors::least(const Tile& inner, LoopClass at_row_buffer,
                                    const TensorFlags& whole) const {
  const Tile& outer = instance_.lattice[row_tile_];
  const DimMask loops = Lattice::step_mask(outer, inner);
  return scaled([&](Tensor t) {
    std::int64_t rows = std::numeric_limits<std::int64_t>::max();
    for (const auto& [layout, further_out] : floors_[index(t)]) {
      if (layout == Layout::sequential) {
        const OrderFloor floor(moved(t, layout), inner.c, outer.c, whole[index(t)],
                               innermost_dims(at_row_buffer), &further_out);
        rows = std::min(rows, floor.least(false));
      } else {
        const bool moves = (loops & ~irrelevant_mask(t)) != 0;
        rows = std::min(rows, further_out.least(moves));
      }
    }
    return rows;
  });
}

Moved DramFloors::moved(Tensor t, Layout layout) const {
  return {instance_.architecture, instance_.workload, t, layout, instance_.lattice[row_tile_].c};
}

template <class Rows>
PerTensor<Int128> DramFloors::scaled(const Rows& rows) const {
  PerTensor<Int128> result = instance_.rows.best(row_tile_, {}).activations;
  for (const Tensor t : kAllTensors) {
    result[index(t)] = std::max(result[index(t)], rows(t) * Int128{instance_.scale.row});
  }
  return result;
}

}  // namespace pimbb::dram_pim::mapper
