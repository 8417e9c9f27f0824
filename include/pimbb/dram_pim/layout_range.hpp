// Which DRAM layouts of a tensor a mapping may choose: what a solve is confined to where the layout
// is not the layer's own business, because another layer writes or reads the same tensor.
//
// A row-aligned tensor is cut into boxes that begin on a row each. Of a weight or output the box is
// the row-buffer tile; of an input it is the row-buffer tile in N and C and the block in the plane:
//
//     tensor    box
//     input     n  c  block_h  block_w
//     weight    k  c  s  r
//     output    n  k  q  p
//
// Boxes of one layer's output and of the next layer's input that are equal mean equal addresses.
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

  bool sequential = true;   ///< may be sequential
  bool row_aligned = true;  ///< may be row-aligned, with a box within:
  LayoutBox least{1, 1, 1, 1};
  LayoutBox most{kAny, kAny, kAny, kAny};  ///< inclusive
  /// If it is there: and that is one of these, in ascending order.
  std::shared_ptr<const std::vector<LayoutBox>> among;

  [[nodiscard]] bool admits(const LayoutBox& box) const;
  [[nodiscard]] bool admits(Layout layout, const LayoutBox& box) const {
    return layout == Layout::sequential ? sequential : row_aligned && admits(box);
  }
  friend bool operator==(const LayoutRange& a, const LayoutRange& b) { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const LayoutRange& a, const LayoutRange& b);
};

using LayoutRanges = std::array<LayoutRange, kTensors>;

/// The box of tensor `t`, whatever its layout is, under a row-buffer tile and the input's block.
LayoutBox layout_box(Tensor t, const Factors& row_tile, const Block& block);

/// Whether every tensor's layout is within its range.
bool within(const LayoutRanges& ranges, const Architecture& architecture, const Mapping& mapping);

}  // namespace pimbb::dram_pim
