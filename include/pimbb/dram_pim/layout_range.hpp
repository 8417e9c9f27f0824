// Restrictions of the DRAM layouts that a mapping may choose for a tensor. A solve is restricted if
// another layer writes or reads the same tensor.
//
// A row-aligned tensor is cut into boxes, and each box begins a DRAM row. For a weight or output
// the box is the row-buffer tile; for an input it is the row-buffer tile in N and C and the block
// in the plane:
//
//     tensor    box
//     input     n  c  block_h  block_w
//     weight    k  c  s  r
//     output    n  k  q  p
//
// If one layer's output and the next layer's input have equal boxes, they have equal addresses.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim {

/// Edges of a row-aligned box, in elements, in the order of the table above.
using LayoutBox = std::array<std::int64_t, 4>;

struct LayoutRange {
  static constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

  bool sequential = true;     ///< may be sequential; an input of free order: in the order NCHW
  bool channels_last = true;  ///< an input of free order may be sequential in the order NHWC
  bool row_aligned = true;    ///< may be row-aligned, with a box between `least` and `most`
  LayoutBox least{1, 1, 1, 1};
  LayoutBox most{kAny, kAny, kAny, kAny};  ///< inclusive
  /// If present: the box must also be one of these, in ascending order.
  std::shared_ptr<const std::vector<LayoutBox>> among;

  [[nodiscard]] bool admits(const LayoutBox& box) const;
  [[nodiscard]] bool admits(Layout layout, const LayoutBox& box,
                            InputOrder order = InputOrder::nchw) const {
    if (layout == Layout::row_aligned) return row_aligned && admits(box);
    return order == InputOrder::nhwc ? channels_last : sequential;
  }
  friend bool operator==(const LayoutRange& a, const LayoutRange& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const LayoutRange& a, const LayoutRange& b);
};

using LayoutRanges = std::array<LayoutRange, kTensors>;

/// The box that tensor `t` has if it is row-aligned, for a row-buffer tile and the input's block.
LayoutBox layout_box(Tensor t, const Factors& row_tile, const Block& block);

/// Whether every tensor's layout is within its range.
bool within(const LayoutRanges& ranges, const Architecture& architecture, const Mapping& mapping);

}  // namespace pimbb::dram_pim
