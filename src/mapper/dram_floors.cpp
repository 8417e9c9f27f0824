// A table for each tensor and layout.
#include "mapper/dram_floors.hpp"

#include <algorithm>

namespace pimbb::mapper {

DramFloors::DramFloors(const Instance& instance, TileIndex row_tile, LoopClass at_dram)
    : instance_(instance), row_tile_(row_tile) {
  const Lattice& lattice = instance.lattice;
  for (const Tensor t : kAllTensors) {
    for (const Layout layout : {Layout::sequential, Layout::row_aligned}) {
      if (layout == Layout::row_aligned && !instance.rows.can_align(row_tile, t)) continue;
      floors_[index(t)].emplace_back(moved(t, layout), lattice[row_tile].c,
                                     lattice[lattice.top()].c, false, innermost_dims(at_dram),
                                     nullptr);
    }
  }
}

PerTensor<Int128> DramFloors::least() const {
  return scaled([&](Tensor t) {
    std::int64_t rows = floors_[index(t)][0].least(false);
    if (floors_[index(t)].size() > 1) rows = std::min(rows, floors_[index(t)][1].least(false));
    return rows;
  });
}

PerTensor<Int128> DramFloors::least(const Tile& inner, LoopClass at_row_buffer,
                                    const TensorFlags& whole) const {
  const Tile& outer = instance_.lattice[row_tile_];
  const DimMask loops = Lattice::step_mask(outer, inner);
  return scaled([&](Tensor t) {
    const OrderFloor floor(moved(t, Layout::sequential), inner.c, outer.c, whole[index(t)],
                           innermost_dims(at_row_buffer), &floors_[index(t)][0]);
    std::int64_t rows = floor.least(false);
    if (floors_[index(t)].size() > 1) {
      const bool moves = (loops & ~irrelevant_mask(t)) != 0;
      rows = std::min(rows, floors_[index(t)][1].least(moves));
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

}  // namespace pimbb::mapper
