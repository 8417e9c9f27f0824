// Rectangles, and placements as address maps.
#include "dram_pim/plan/placement.hpp"

#include <algorithm>

namespace pimbb::dram_pim::network {

bool Rectangle::contains(const Rectangle& other) const { return hull(*this, other) == *this; }

Rectangle intersection(const Rectangle& a, const Rectangle& b) {
  const std::int64_t top = std::max(a.top, b.top);
  const std::int64_t left = std::max(a.left, b.left);
  const std::int64_t bottom = std::min(a.top + a.height, b.top + b.height);
  const std::int64_t right = std::min(a.left + a.width, b.left + b.width);
  return {top, left, std::max(top, bottom) - top, std::max(left, right) - left};
}

Rectangle hull(const Rectangle& a, const Rectangle& b) {
  const std::int64_t top = std::min(a.top, b.top);
  const std::int64_t left = std::min(a.left, b.left);
  return {top, left, std::max(a.top + a.height, b.top + b.height) - top,
          std::max(a.left + a.width, b.left + b.width) - left};
}

rows::ElementMap Placement::map(std::int64_t row) const {
  if (layout == Layout::row_aligned) {
    return rows::boxed_map(extent(own), indices_of(box), element_units, row);
  }
  return rows::dense_map(extent(frame), element_units,
                         channels_last ? rows::kChannelsLast : rows::kRowMajor);
}

rows::Indices Placement::first(const Rectangle& part) const {
  const Rectangle& origin = layout == Layout::row_aligned ? own : frame;
  assert(origin.contains(part));
  return {0, 0, 0, part.top - origin.top, part.left - origin.left};
}

bool Placement::agrees(const Placement& other) const {
  if (layout != other.layout || element_units != other.element_units) return false;
  if (layout == Layout::row_aligned) return own == other.own && box == other.box;
  return frame == other.frame && channels_last == other.channels_last;
}

}  // namespace pimbb::dram_pim::network
