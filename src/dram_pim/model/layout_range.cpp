// Boxes of layouts against their ranges.
#include "pimbb/dram_pim/layout_range.hpp"

#include <algorithm>
#include <tuple>

namespace pimbb::dram_pim {

bool LayoutRange::admits(const LayoutBox& box) const {
  for (std::size_t k = 0; k < box.size(); ++k) {
    if (box[k] < least[k] || box[k] > most[k]) return false;
  }
  return !among || std::binary_search(among->begin(), among->end(), box);
}

std::strong_ordering operator<=>(const LayoutRange& a, const LayoutRange& b) {
  const auto limits = [](const LayoutRange& r) {
    return std::tie(r.sequential, r.channels_last, r.row_aligned, r.least, r.most);
  };
  if (const auto order = limits(a) <=> limits(b); order != 0) return order;
  if (!a.among || !b.among) return a.among.operator bool() <=> b.among.operator bool();
  return *a.among <=> *b.among;
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
    const bool is_free = t == Tensor::input && architecture.has_free_input_order();
    return ranges[index(t)].admits(mapping.layout[index(t)],
                                   layout_box(t, tile, mapping.input_block),
                                   is_free ? mapping.input_order : InputOrder::nchw);
  });
}

}  // namespace pimbb::dram_pim
