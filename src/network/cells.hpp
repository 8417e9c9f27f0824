// Sets of places that a tensor may have, and how they are split.
//
// The places of a tensor are few in kind and many in number: sequential, alone or in the frame that
// it shares with others, or row-aligned in one of thousands of boxes. The plan treats them by the
// set: a cell is a range of layouts. Cells of a variable partition its places; a cell that turned
// out too coarse is cut in two around a place in it.
#pragma once

#include <utility>
#include <vector>

#include "pimbb/layout_range.hpp"

namespace pimbb::network {

struct Cell {
  bool framed = false;  ///< sequential in the shared frame; else where the layer alone would put it
  LayoutRange range;

  [[nodiscard]] bool is_single() const;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// Places without a shared frame of a tensor of these sizes (n c h w).
Cell own_places(const LayoutBox& sizes);
Cell only_sequential(bool framed);
Cell only_aligned(const LayoutBox& sizes);

/// Whether a row-aligned box of one may be one of the other.
bool boxes_meet(const LayoutRange& a, const LayoutRange& b);

/// How a cell is cut in two: sequential from row-aligned, or boxes up to `last` along an axis from
/// the larger ones.
struct Cut {
  bool by_kind = false;
  std::size_t axis = 0;
  std::int64_t last = 0;
};

/// A cut of a cell that is not single: by kind if it has both, else across the axis along which
/// `box`, which it holds, and `other` differ most, so that they end up in different parts; if they
/// do not differ there, next to `box`.
Cut cut_between(const Cell& cell, const LayoutBox& box, const LayoutBox& other);
std::pair<Cell, Cell> split(const Cell& cell, const Cut& cut);

}  // namespace pimbb::network
