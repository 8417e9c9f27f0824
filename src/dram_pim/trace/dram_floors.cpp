// A table for each tensor and layout, and one for each relevant part of the tiles inside.
#include "dram_pim/trace/dram_floors.hpp"

#include <algorithm>
#include <limits>

namespace pimbb::dram_pim::mapper {
namespace {

constexpr std::size_t kMostKept = std::size_t{1} << 16;  // tables, some 300 bytes each

/// A number that the tiles share that have the same factors relevant to t, and no others: the index
/// in the lattice of these factors, which is no larger than that of all tiles.
std::uint32_t relevant_part(const Lattice& lattice, Tensor t, const Tile& tile) {
  std::size_t part = 0;
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) part = part * lattice.divisor_count(index(j)) + tile.at[index(j)];
  }
  return static_cast<std::uint32_t>(part);
}

}  // namespace

DramFloors::DramFloors(const Instance& instance, TileIndex row_tile, LoopClass of_dram,
                       const TensorFlags& whole)
    : instance_(instance),
      row_tile_(row_tile),
      whole_(whole),
      tensor_rows_(instance.rows.best(row_tile, {}).activations) {
  for (const Tensor t : kAllTensors) {
    if (t == Tensor::input) {
      const auto& ordered = instance.rows.sequential_inputs();
      for (std::size_t k = 0; k < ordered.size(); ++k) add_sequential(t, k, ordered[k], of_dram);
    } else if (instance.rows.can_be_sequential(t)) {
      add_sequential(t, 0, instance.architecture, of_dram);
    }
    if (instance.rows.can_align(row_tile, t)) {
      tensors_[index(t)].aligned =
          at_dram(moved(instance.architecture, t, Layout::row_aligned), of_dram);
    }
  }
}

void DramFloors::add_sequential(Tensor t, std::size_t k, const Architecture& architecture,
                                LoopClass of_dram) {
  tensors_[index(t)].sequential.at(k) =
      Sequential{&architecture, at_dram(moved(architecture, t, Layout::sequential), of_dram),
                 Inside(&memory_)};
}

LoopsFurtherOut DramFloors::at_dram(const Moved& layout, LoopClass of_dram) const {
  const Lattice& lattice = instance_.lattice;
  const Tile& tile = lattice[row_tile_];
  const Tile& layer = lattice[lattice.top()];
  const auto innermost =
      static_cast<DimMask>(Lattice::step_mask(layer, tile) & innermost_dims(of_dram));
  return OrderFloor(layout, tile.c, layer.c, false, nullptr)
      .from_inside(innermost, tile.irrelevant_loops[index(layout.tensor)]);
}

PerTensor<Int128> DramFloors::least() const {
  return scaled([&](Tensor t) {
    const OfTensor& of = tensors_[index(t)];
    std::int64_t rows = std::numeric_limits<std::int64_t>::max();
    for (const auto& layout : of.sequential) {
      if (layout) rows = std::min(rows, layout->at_dram.least[0]);
    }
    if (of.aligned) rows = std::min(rows, of.aligned->least[0]);
    return rows;
  });
}

PerTensor<Int128> DramFloors::least(const Tile& inner, LoopClass at_row_buffer) {
  const Tile& outer = instance_.lattice[row_tile_];
  const DimMask loops = Lattice::step_mask(outer, inner);
  const auto innermost = static_cast<DimMask>(loops & innermost_dims(at_row_buffer));
  return scaled([&](Tensor t) {
    OfTensor& of = tensors_[index(t)];
    std::int64_t rows = std::numeric_limits<std::int64_t>::max();
    if (of.aligned) rows = of.aligned->least[(loops & ~irrelevant_mask(t)) != 0 ? 1 : 0];
    for (auto& layout : of.sequential) {
      if (!layout) continue;
      const std::int64_t idle_trips =
          inner.irrelevant_loops[index(t)] / outer.irrelevant_loops[index(t)];
      const OrderFloor& floor = floor_inside(t, *layout, inner);
      rows = std::min(rows, floor.least(false, innermost, idle_trips));
    }
    return rows;
  });
}

const OrderFloor& DramFloors::floor_inside(Tensor t, Sequential& layout, const Tile& inner) {
  const std::uint32_t part = relevant_part(instance_.lattice, t, inner);
  const auto known = layout.inside.find(part);
  if (known != layout.inside.end()) return known->second;
  if (kept_++ == kMostKept) forget_insides();
  return layout.inside
      .try_emplace(part, moved(*layout.architecture, t, Layout::sequential), inner.c,
                   instance_.lattice[row_tile_].c, whole_[index(t)], &layout.at_dram)
      .first->second;
}

void DramFloors::forget_insides() {
  for (OfTensor& of : tensors_) {
    for (auto& layout : of.sequential) {
      if (layout) layout->inside = Inside(&memory_);
    }
  }
  memory_.release();
  kept_ = 1;
}

Moved DramFloors::moved(const Architecture& architecture, Tensor t, Layout layout) const {
  return {architecture, instance_.workload, t, layout, instance_.lattice[row_tile_].c};
}

template <class Rows>
PerTensor<Int128> DramFloors::scaled(const Rows& rows) const {
  PerTensor<Int128> result = tensor_rows_;
  for (const Tensor t : kAllTensors) {
    result[index(t)] = std::max(result[index(t)], rows(t) * Int128{instance_.scale.row});
  }
  return result;
}

}  // namespace pimbb::dram_pim::mapper
