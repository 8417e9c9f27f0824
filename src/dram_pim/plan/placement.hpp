// Where a tensor that layers exchange lies in DRAM.
//
// Such a tensor is N x C planes. Layers see different rectangles of them, borders included, so
// positions are in the coordinates of the tensor that is exchanged, and may be negative. Which byte
// a position is at is the business of rows/element_map.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "dram_pim/rows/element_map.hpp"
#include "pimbb/dram_pim/layout_range.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::network {

/// A rectangle of a plane, in the coordinates of the tensor that layers exchange.
struct Rectangle {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t height = 1;
  std::int64_t width = 1;
  [[nodiscard]] bool empty() const { return height == 0 || width == 0; }
  [[nodiscard]] bool contains(const Rectangle& other) const;
  auto operator<=>(const Rectangle&) const = default;
};

Rectangle intersection(const Rectangle& a, const Rectangle& b);
Rectangle hull(const Rectangle& a, const Rectangle& b);

/// Where a tensor of N x C planes lies.
struct Placement {
  std::int64_t batch = 1;
  std::int64_t channels = 1;
  Rectangle own;    ///< elements that it has
  Rectangle frame;  ///< sequential: the planes that they are stored in
  Layout layout = Layout::sequential;
  LayoutBox box{1, 1, 1, 1};       ///< row-aligned: n c h w
  bool channels_last = false;      ///< sequential: N H W C
  std::int64_t element_units = 1;  ///< of addresses
  auto operator<=>(const Placement&) const = default;

  /// Addresses by indices n g c h w, all channels being one group; h and w count from where
  /// first() says.
  [[nodiscard]] rows::ElementMap map(std::int64_t row) const;
  /// The first element of a part of the planes, and the extents of that part.
  [[nodiscard]] rows::Indices first(const Rectangle& part) const;
  [[nodiscard]] rows::Indices extent(const Rectangle& part) const {
    return {batch, 1, channels, part.height, part.width};
  }
  /// Whether the elements that both have lie at the same addresses.
  [[nodiscard]] bool agrees(const Placement& other) const;
};

/// The same with a box for each of the Indices.
constexpr rows::Indices indices_of(const LayoutBox& box) {
  return {box[0], 1, box[1], box[2], box[3]};
}

/// The blocks of a place along an axis: where a part of the axis begins in it, and their edge.
struct Blocks {
  std::int64_t first;
  std::int64_t edge;
  [[nodiscard]] std::int64_t of(std::int64_t at) const { return (first + at) / edge; }
};
/// Calls visit(begin, end) for the pieces of such a part, `length` indices long, that lie in one
/// block each.
template <class Visit>
void for_each_piece(const Blocks& blocks, std::int64_t length, const Visit& visit) {
  for (std::int64_t at = 0; at < length;) {
    const std::int64_t end = std::min(length, (blocks.of(at) + 1) * blocks.edge - blocks.first);
    visit(at, end);
    at = end;
  }
}

/// The indices n c h w of n g c h w.
constexpr LayoutBox plane_axes(const rows::Indices& indices) {
  return {indices[0], indices[2], indices[3], indices[4]};
}

}  // namespace pimbb::dram_pim::network
