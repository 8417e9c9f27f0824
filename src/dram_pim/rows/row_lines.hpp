// How positions become rows under a layout: along lines that are cut into rows, and by groups.
//
// Sequential: one line, the addresses, cut every Row bytes. Row-aligned input: two lines, the
// height and the width of the plane, cut every block; a row is one block of one group (tile in N,
// in G and in C). Row-aligned weight and output: groups alone, a row is the index of a row-buffer
// tile. Two positions are in the same row iff they are on every line, and the group is the same.
#pragma once

#include <cstdint>
#include <vector>

#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/step_function.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::rows {

/// Positions along something that is cut into rows: addresses, or an edge of a plane.
struct RowLine {
  std::int64_t row;    ///< length of a row, or edge of a block
  std::int64_t span;   ///< from the moved tile's first to its last element
  std::int64_t first;  ///< position of the first tile, less whole rows
  std::int64_t unit;   ///< divides the row, that position and every step of the loops
  Factors step;        ///< per iteration of a dimension, in elements of it; 0: none
  StepFunction rows;   ///< rows that the tile touches, by offset
};

struct RowLines {
  std::vector<RowLine> lines;
  Factors group{};  ///< row-buffer tile along group dimensions; 0: not a group dimension

  /// `tile`: what is moved; `rb_tile`: the cumulative tile at the row buffer; `block`: of a
  /// row-aligned input.
  RowLines(const Architecture& architecture, const Workload& workload, Tensor t, Layout layout,
           const Factors& tile, const Factors& rb_tile, const Block& block);

  /// Whether a loop over `dim` that advances by `advance` elements changes the row whenever it
  /// steps.
  [[nodiscard]] bool changes_group(Dim dim, std::int64_t advance) const {
    const std::int64_t edge = group[index(dim)];
    return edge > 0 && advance >= edge;
  }

 private:
  void add_line(std::int64_t row, std::int64_t first, const Box& box, const Factors& step,
                const Factors& tile, const Factors& bounds);
};

}  // namespace pimbb::dram_pim::rows
