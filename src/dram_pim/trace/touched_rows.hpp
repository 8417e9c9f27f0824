// Lower bound on the rows that a tile and the loops around it touch, for one tensor in one layout.
//
// The tile of a tensor that the DRAM moves lies at an address that loops further out decide. With
// some of these loops around it, its positions form a larger tile. TouchedRows counts rows that
// this larger tile touches wherever it starts. Elements in the tile that no move covers are left
// out: the input of a layer with strides has gaps, and a tile that moves in parts may have more of
// them.
#pragma once

#include <cstdint>

#include "dram_pim/mapper/tiles.hpp"
#include "dram_pim/rows/element_map.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::mapper {

/// A tensor with a layout, which a nest of loops moves.
struct Moved {
  const Architecture& architecture;  ///< with the order of a sequential input, not free
  const Workload& workload;
  Tensor tensor;
  Layout layout;
  Factors row_tile;  ///< cumulative tile at the row buffer
};

class TouchedRows {
 public:
  /// The tile `inner` moves as a `whole` or in parts, by loops that lead to the tile `outer`. Only
  /// factors relevant to the tensor matter. Keeps a reference to `moved`.
  TouchedRows(const Moved& moved, const Factors& inner, const Factors& outer, bool whole);

  /// With the loops of these dimensions, all relevant, around the tile.
  [[nodiscard]] std::int64_t with(DimMask loops) const;

 private:
  /// A part of a tile whose elements are all moved; boxes of it are dense. Where a layer strides
  /// over its input, several tiles together need not be: `dense` then stays behind `tile`.
  struct Cover {
    Factors tile;
    Factors dense;
    [[nodiscard]] bool complete(Dim j) const { return dense[index(j)] == tile[index(j)]; }
  };

  [[nodiscard]] static Cover grown(const Moved& moved, const Cover& inner, const Factors& outer,
                                   DimMask set);
  [[nodiscard]] std::int64_t aligned(const Factors& tile) const;

  const Moved& moved_;
  Factors outer_;
  Cover cover_;
  rows::ElementMap sequential_;  // if that is the layout
  std::int64_t row_;
};

}  // namespace pimbb::dram_pim::mapper
