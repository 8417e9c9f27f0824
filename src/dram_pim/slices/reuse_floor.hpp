// A lower bound on the energy of refilling levels, from their capacities.
//
// A tile of c_j in each dimension serves  prod c_j  MACs. Between two tiles of a level the
// innermost loop is irrelevant to at most one tensor, which may stay; each other tensor is filled
// again for every tile. So the fills of a tensor t are at least
//
//     MACs * tile_t(c) / prod c_j,     for all tensors but one, which is filled once at least,
//
// and the tile has to fit the level. The least of this over all tiles of integers that fit, whether
// they divide anything or not, holds for all bounds of a layer at once: only the MACs and the
// elements of the tensors differ. It is counted once, in fixed point rounded down. At level 0 a
// tile is the share of a PE times the factors of the array.
#pragma once

#include <vector>

#include "dram_pim/mapper/scale.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::slices {

class ReuseFloor {
 public:
  /// For bounds up to those of `layer`, in the energy units of `scale`.
  ReuseFloor(const Architecture& architecture, const Workload& layer, const mapper::Scale& scale);

  /// The energy beyond that of filling every level once with each tensor. `elements`: moved by any
  /// tiling.
  [[nodiscard]] Int128 beyond_once(Int128 macs, const PerTensor<Int128>& elements) const;

 private:
  /// The fills of one level: the tensors that it must store, next to a level that must.
  struct Level {
    PerTensor<std::int64_t> cost{};     ///< energy per element filled; 0: not counted
    PerTensor<Int128> least_per_mac{};  ///< by the tensor that stays: of the others, in 1/kOne
  };
  class Counter;

  std::vector<Level> levels_;
};

}  // namespace pimbb::dram_pim::slices
