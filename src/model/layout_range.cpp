// Boxes of layouts against their ranges.
#include "pimbb/layout_range.hpp"

#include <algorithm>

namespace pimbb {

bool LayoutRange::admits(const LayoutBox& box) const {
  for (std::size_t k = 0; k < box.size(); ++k) {
    if (box[k] < least[k] || box[k] > most[k]) return false;
  }
  return true;
}

LayoutBox layout_box(Tensor t, const Factors& row_tile, const Block& block) {
  const auto at = [&](Dim d) { return row_tile[index(d)]; };
  switch (t) {
    case Tensor::input: return {at(Dim::N), at(Dim::C), block.h, block.w};
    case Tensor::weight: return {at(Dim::K), at(Dim::C), at(Dim::S), at(Dim::R)};
    default: return {at(Dim::N), at(Dim::K), at(Dim::Q), at(Dim::P)};
  }
}

bool within(const LayoutRanges& ranges, const Architecture& architecture, const Mapping& mapping) {
  const Factors tile = mapping.tile(architecture.row_buffer());
  return std::all_of(kAllTensors.begin(), kAllTensors.end(), [&](Tensor t) {
    return ranges[index(t)].admits(mapping.layout[index(t)],
                                   layout_box(t, tile, mapping.input_block));
  });
}

}  // namespace pimbb
