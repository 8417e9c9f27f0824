// The mapping from positions to rows under a layout: lines that are cut into rows, and groups.
//
// Sequential: one line, the addresses, cut at every row. Row-aligned input: two lines, the
// height and the width of the plane, cut at every block; a row is one block of one group (tile in
// N, G and C). Row-aligned weight and output: groups only, a row is the index of a row-buffer tile.
// Two positions are in the same row iff they are in the same segment of every line and in the same
// group.
#pragma once

#include <cstdint>
#include <vector>

#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/step_function.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::rows {

/// Positions along a line that is cut into rows: addresses, or an edge of a plane.
struct RowLine {
  std::int64_t row = 1;    ///< length of a row, or edge of a block
  std::int64_t span = 1;   ///< from the moved tile's first to its last element
  std::int64_t first = 0;  ///< position of the first tile, less whole rows
  std::int64_t unit = 1;   ///< divides the row, that position and every step of the loops
  Factors step{};          ///< step on the line per element of a dimension; 0: none
  StepFunction rows;       ///< number of rows that the tile touches, by offset
};

struct RowLines {
  std::vector<RowLine> lines;
  Factors group{};  ///< row-buffer tile along group dimensions; 0: not a group dimension

  /// `tile`: the tile that moves; `rb_tile`: the cumulative tile at the row buffer; `block`: the
  /// block of a row-aligned input.
  RowLines(const Architecture& architecture, const Workload& workload, Tensor t, Layout layout,
           const Factors& tile, const Factors& rb_tile, const Block& block);

  /// Whether a loop over `dim` that advances by `advance` elements changes the group at every step.
  [[nodiscard]] bool changes_group(Dim dim, std::int64_t advance) const {
    const std::int64_t edge = group[index(dim)];
    return edge > 0 && advance >= edge;
  }

 private:
  void add_line(std::int64_t row, std::int64_t first, const AddressBox& box, const Factors& step,
                const Factors& tile, const Factors& bounds);
};

}  // namespace pimbb::dram_pim::rows
