// Strides of blocks and of elements inside them.
#include "dram_pim/rows/element_map.hpp"

#include <algorithm>
#include <limits>

#include "exact/int128.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::rows {
namespace {

std::int64_t blocks_of(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}

/// Axes of a layer's tensor in the order of its addresses; only a sequential input may be
/// channels-last.
const AxisOrder& dense_order(Tensor t, InputOrder order) {
  assert(t != Tensor::input || order != InputOrder::free);
  return t == Tensor::input && order == InputOrder::nhwc ? kChannelsLast : kRowMajor;
}

/// The planes that a sequential tensor of a layer is part of.
Indices dense_frame(const Workload& w, Tensor t) {
  Indices frame = extents(w, t, w.bounds);
  if (t == Tensor::weight) return frame;
  frame[3] = w.frame(t).height;
  frame[4] = w.frame(t).width;
  return frame;
}

/// The boxes of a row-aligned tensor of a layer.
Indices aligned_box(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  Indices box = extents(w, t, m.tile(a.row_buffer()));
  if (t == Tensor::input) {
    box[3] = m.input_block.h;
    box[4] = m.input_block.w;
  }
  return box;
}

ElementMap sequential_map(const Architecture& a, const Workload& w, Tensor t, InputOrder order) {
  Indices first{};
  if (t != Tensor::weight) {
    first[3] = w.frame(t).top;
    first[4] = w.frame(t).left;
  }
  return rows::dense_map(dense_frame(w, t), a.element_units(t), dense_order(t, order), first);
}

}  // namespace

ElementMap dense_map(const Indices& frame, std::int64_t element_units, const AxisOrder& order,
                     const Indices& first) {
  ElementMap map{};
  std::int64_t stride = element_units;
  for (std::size_t k = kAxes; k-- > 0;) {
    const std::size_t i = order[k];
    assert(first[i] >= 0 && first[i] < frame[i]);
    map.axes[k] = {i, frame[i], 0, stride};
    map.first += first[i] * stride;
    stride *= frame[i];
  }
  // Blocks count from the frame's first element, indices from the tensor's: with no second block
  // the difference is in `first` alone.
  return map;
}

ElementMap boxed_map(const Indices& sizes, const Indices& box, std::int64_t element_units,
                     std::int64_t row) {
  ElementMap map{};
  Int128 block_stride = row;
  std::int64_t stride = element_units;
  for (std::size_t k = kAxes; k-- > 0;) {
    map.axes[k] = {k, box[k], static_cast<std::int64_t>(block_stride), stride};
    stride *= box[k];
    block_stride *= blocks_of(sizes[k], box[k]);
  }
  assert(stride <= row);
  return map;
}

ElementMap element_map(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  if (m.layout[index(t)] == Layout::sequential) {
    return sequential_map(a, w, t, m.input_order_on(a));
  }
  return boxed_map(extents(w, t, w.bounds), aligned_box(a, w, m, t), a.element_units(t),
                   a.row_units());
}

ElementMap dense_map(const Architecture& a, const Workload& w, Tensor t) {
  return sequential_map(a, w, t, a.input_order);
}

std::int64_t occupied_rows(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  const std::int64_t row = a.row_units();
  Int128 rows = 1;
  if (m.layout[index(t)] == Layout::sequential) {
    Int128 units = a.element_units(t);
    for (const std::int64_t edge : dense_frame(w, t)) units *= edge;
    rows = (units + row - 1) / row;
  } else {
    const Indices tensor = extents(w, t, w.bounds);
    const Indices box = aligned_box(a, w, m, t);
    for (std::size_t k = 0; k < kAxes; ++k) rows *= blocks_of(tensor[k], box[k]);
  }
  if (rows > std::numeric_limits<std::int64_t>::max() / (8 * row)) {  // room for the bank's bits
    throw InputError("the " + std::string(name(t)) +
                     " is spread over too many DRAM rows; allowed are addresses below 2^60");
  }
  return static_cast<std::int64_t>(rows);
}

Indices first_element(const Workload& w, Tensor t, const Factors& start) {
  const auto at = [&](Dim d) { return start[index(d)]; };
  switch (t) {
    case Tensor::input:
      return {at(Dim::N), at(Dim::G), at(Dim::C),
              at(Dim::Q) * w.stride_h + at(Dim::S) * w.dilation_h,
              at(Dim::P) * w.stride_w + at(Dim::R) * w.dilation_w};
    case Tensor::weight: return {at(Dim::G), at(Dim::K), at(Dim::C), at(Dim::S), at(Dim::R)};
    default: return {at(Dim::N), at(Dim::G), at(Dim::K), at(Dim::Q), at(Dim::P)};
  }
}

Indices extents(const Workload& w, Tensor t, const Factors& tile) {
  if (t != Tensor::input) return first_element(w, t, tile);
  const auto at = [&](Dim d) { return tile[index(d)]; };
  return {at(Dim::N), at(Dim::G), at(Dim::C), w.extent_h(at(Dim::Q), at(Dim::S)),
          w.extent_w(at(Dim::P), at(Dim::R))};
}

Indices touched_blocks(const Indices& block, const Indices& begin, const Indices& extent) {
  Indices blocks{};
  for (std::size_t i = 0; i < kAxes; ++i) {
    assert(begin[i] >= 0 && extent[i] > 0);
    blocks[i] = (begin[i] + extent[i] - 1) / block[i] - begin[i] / block[i] + 1;
  }
  return blocks;
}

Indices whole_blocks(const Indices& block, const Indices& begin, const Indices& extent) {
  Indices blocks{};
  for (std::size_t i = 0; i < kAxes; ++i) {
    const std::int64_t first = blocks_of(begin[i], block[i]);
    blocks[i] = std::max<std::int64_t>(0, (begin[i] + extent[i]) / block[i] - first);
  }
  return blocks;
}

std::int64_t volume(const Indices& extent) {
  std::int64_t elements = 1;
  for (const std::int64_t edge : extent) elements *= edge;
  return elements;
}

AddressTable::AddressTable(const ElementMap& map, const Indices& begin, const Indices& extent,
                           const Indices& name)
    : name_(name), inner_(map.axes.back().index) {
  for (const ElementAxis& axis : map.axes) {
    const std::size_t i = axis.index;
    for (std::int64_t k = 0; k < extent[i]; ++k) parts_[i].push_back(axis.offset(begin[i] + k));
  }
  for (std::int64_t& part : parts_[0]) part += map.first;
  const std::int64_t block = map.axes.back().block;
  const std::int64_t end = begin[inner_] + extent[inner_];
  const std::int64_t shift = name[inner_] - begin[inner_];
  for (std::int64_t at = begin[inner_]; at < end; ++at) {
    run_ends_.push_back(std::min(end, (at / block + 1) * block) + shift);
  }
}

}  // namespace pimbb::dram_pim::rows
