// Sets of places that a tensor may have, and how they are split.
//
// The places of a tensor are few in kind and many in number: sequential, alone or in the frame that
// it shares with others, or row-aligned in one of thousands of boxes. The plan treats them by the
// set: a cell is a range of layouts, and of the copies that go with them: the boxes of a layer's
// tensor are ranked by what it costs to copy them to or from a sequential place, equal costs having
// equal ranks. Cells of a variable partition its places; a cell that turned out too coarse is cut
// in two around a place in it.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "pimbb/dram_pim/layout_range.hpp"

namespace pimbb::dram_pim::network {

struct Cell {
  static constexpr std::size_t kAnyRank = std::numeric_limits<std::size_t>::max();

  bool framed = false;  ///< sequential in the shared frame; else where the layer alone would put it
  LayoutRange range;
  std::size_t first_rank = 0;  ///< of row-aligned boxes, where they are ranked
  std::size_t last_rank = kAnyRank;

  [[nodiscard]] bool is_single() const;
  /// Whether its boxes are limited by their rank.
  [[nodiscard]] bool ranked() const { return first_rank > 0 || last_rank < kAnyRank; }
  /// Of a single cell.
  [[nodiscard]] Layout layout() const {
    return range.sequential ? Layout::sequential : Layout::row_aligned;
  }
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// Places without a shared frame of a tensor of these sizes (n c h w).
Cell own_places(const LayoutBox& sizes);
Cell only_sequential(bool framed);
Cell only_aligned(const LayoutBox& sizes);

/// How a cell is cut in two: sequential from row-aligned, or boxes up to `last` along an axis from
/// the larger ones, or up to the rank `last` from those that are dearer to copy.
struct Cut {
  enum class By { kind, axis, rank };
  By by = By::kind;
  std::size_t axis = 0;
  std::int64_t last = 0;
};

/// A cut of a cell that is not single: by kind if it has both, else across the axis along which
/// `box`, which it holds, and `other` differ most, so that they end up in different parts; if they
/// do not differ there, next to `box`.
Cut cut_between(const Cell& cell, const LayoutBox& box, const LayoutBox& other);
std::pair<Cell, Cell> split(const Cell& cell, const Cut& cut);

}  // namespace pimbb::dram_pim::network
