// Cells: sets of places of a tensor, and how they are split.
//
// A tensor has few kinds of places but many places: sequential, alone or in the frame that it
// shares with others, or row-aligned in one of thousands of boxes. The search therefore works with
// cells. A cell is a range of layouts and a range of copy costs: the boxes of a layer's tensor are
// ranked by the cost of a copy to or from a sequential place, and equal costs have equal ranks. The
// cells of a variable partition its places; a cell that is too coarse is cut in two around one of
// its places.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "pimbb/dram_pim/layout_range.hpp"

namespace pimbb::dram_pim::network {

struct Cell {
  static constexpr std::size_t kAnyRank = std::numeric_limits<std::size_t>::max();

  bool framed = false;  ///< sequential in the shared frame; else in the place of the layer alone
  LayoutRange range;
  std::size_t first_rank = 0;  ///< of row-aligned boxes, if they are ranked
  std::size_t last_rank = kAnyRank;

  [[nodiscard]] bool is_single() const;
  /// Whether its boxes are limited by their rank.
  [[nodiscard]] bool ranked() const { return first_rank > 0 || last_rank < kAnyRank; }
  /// The layout of a single cell.
  [[nodiscard]] Layout layout() const {
    return range.sequential ? Layout::sequential : Layout::row_aligned;
  }
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// All places of a tensor with these sizes (n c h w) outside a shared frame.
Cell own_places(const LayoutBox& sizes);
Cell only_sequential(bool framed);
Cell only_aligned(const LayoutBox& sizes);

/// How a cell is cut in two: sequential and row-aligned; boxes up to `last` along an axis and
/// larger ones; or boxes up to the rank `last` and those that are more expensive to copy.
struct CellCut {
  enum class By { kind, axis, rank };
  By by = By::kind;
  std::size_t axis = 0;
  std::int64_t last = 0;
};

/// A cut of a cell that is not single: by kind if it has both kinds; else across the axis along
/// which `box`, which is in the cell, and `other` differ most, so that they are in different parts;
/// if they do not differ, next to `box`.
CellCut cut_between(const Cell& cell, const LayoutBox& box, const LayoutBox& other);
std::pair<Cell, Cell> split(const Cell& cell, const CellCut& cut);

}  // namespace pimbb::dram_pim::network
