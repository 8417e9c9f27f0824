// Cells: sets of places of a tensor, and how they are split.
//
// A tensor has few kinds of places but many places: sequential, alone or in the frame that it
// shares with others, in one of two orders if inputs have a free order, or row-aligned in one of
// thousands of boxes. The search therefore works with cells. A cell is a range of layouts and a
// range of copy costs: the boxes of a layer's tensor are ranked by the cost of a copy to or from a
// sequential place, in each order, and equal costs have equal ranks. The cells of a variable
// partition its places; a cell that is too coarse is cut in two around one of its places.
#pragma once

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "pimbb/dram_pim/layout_range.hpp"

namespace pimbb::dram_pim::network {

/// The orders of a sequential place. If they are not free there is one, whose name is nchw here.
inline constexpr std::array kOrders{InputOrder::nchw, InputOrder::nhwc};

struct Ranks {
  static constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

  std::size_t first = 0;
  std::size_t last = kAny;  ///< inclusive

  [[nodiscard]] bool limited() const { return first > 0 || last < kAny; }
  [[nodiscard]] bool admit(std::size_t rank) const { return first <= rank && rank <= last; }
  friend auto operator<=>(const Ranks&, const Ranks&) = default;
};

struct Cell {
  bool framed = false;  ///< sequential in the shared frame; else in the place of the layer alone
  LayoutRange range;    ///< `channels_last` only if the order is free
  std::array<Ranks, kOrders.size()> ranks{};  ///< of boxes, by the order of the sequential place

  [[nodiscard]] bool is_single() const;
  [[nodiscard]] bool has_sequential() const { return range.sequential || range.channels_last; }
  /// The orders of its sequential places; of one that is single, its order.
  [[nodiscard]] std::vector<InputOrder> orders() const;
  [[nodiscard]] InputOrder order() const {
    return range.sequential ? InputOrder::nchw : InputOrder::nhwc;
  }
  /// Whether its boxes are limited by their ranks.
  [[nodiscard]] bool ranked() const { return ranks[0].limited() || ranks[1].limited(); }
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

/// All places of a tensor with these sizes (n c h w) and one order outside a shared frame.
Cell own_places(const LayoutBox& sizes);
Cell only_sequential(bool framed, InputOrder order = InputOrder::nchw);
Cell only_aligned(const LayoutBox& sizes);

/// How a cell is cut in two: sequential and row-aligned; NCHW and NHWC; boxes up to `last` along an
/// axis and larger ones; or boxes up to the rank `last`, in the ranking by copies to or from the
/// order `towards`, and those that are more expensive to copy.
struct CellCut {
  enum class By { kind, order, axis, rank };
  By by = By::kind;
  std::size_t axis = 0;
  std::int64_t last = 0;
  InputOrder towards = InputOrder::nchw;
};

/// A cut of a cell that is not single: by kind if it has both kinds, by order if it has both
/// orders; else across the axis along which `box`, which is in the cell, and `other` differ most,
/// so that they are in different parts; if they do not differ, next to `box`.
CellCut cut_between(const Cell& cell, const LayoutBox& box, const LayoutBox& other);
std::pair<Cell, Cell> split(const Cell& cell, const CellCut& cut);

}  // namespace pimbb::dram_pim::network
