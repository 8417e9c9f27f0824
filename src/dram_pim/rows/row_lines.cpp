// Lines of addresses, lines of planes.
#include "dram_pim/rows/row_lines.hpp"

#include <cassert>
#include <numeric>

#include "dram_pim/rows/micro_trace.hpp"

namespace pimbb::dram_pim::rows {
namespace {

/// `length` neighbouring positions of a plane's edge.
AddressBox edge(std::int64_t length) {
  constexpr AddressAxis one{1, 0};
  return {one, one, one, one, AddressAxis{length, 1}};
}

}  // namespace

RowLines::RowLines(const Architecture& a, const Workload& w, Tensor t, Layout layout,
                   const Factors& tile, const Factors& rb_tile, const Block& block) {
  const auto at = [&](Dim d) { return tile[index(d)]; };
  if (layout == Layout::sequential) {
    add_line(a.row_units(), first_address(a, w, t), tile_box(a, w, t, tile), loop_strides(a, w, t),
             tile, w.bounds);
    return;
  }
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) group[index(j)] = rb_tile[index(j)];
  }
  if (t != Tensor::input) return;
  for (const Dim j : {Dim::R, Dim::S, Dim::P, Dim::Q}) group[index(j)] = 0;
  Factors high{};
  high[index(Dim::Q)] = w.stride_h;
  high[index(Dim::S)] = w.dilation_h;
  add_line(block.h, 0, edge(w.extent_h(at(Dim::Q), at(Dim::S))), high, tile, w.bounds);
  Factors wide{};
  wide[index(Dim::P)] = w.stride_w;
  wide[index(Dim::R)] = w.dilation_w;
  add_line(block.w, 0, edge(w.extent_w(at(Dim::P), at(Dim::R))), wide, tile, w.bounds);
}

void RowLines::add_line(std::int64_t row, std::int64_t first, const AddressBox& box,
                        const Factors& step, const Factors& tile, const Factors& bounds) {
  // Loops advance by multiples of the moved tile.
  first %= row;
  std::int64_t unit = std::gcd(row, first);
  for (std::size_t j = 0; j < kDims; ++j) {
    if (tile[j] < bounds[j]) unit = std::gcd(unit, step[j] * tile[j]);
  }
  assert(unit > 0 && row % unit == 0 && first % unit == 0);
  lines.push_back({row, span(box), first, unit, step, rows_by_offset(box, row)});
}

}  // namespace pimbb::dram_pim::rows
