// Strides of blocks and of elements inside them.
#include "dram_pim/rows/element_map.hpp"

#include <limits>

#include "dram_pim/rows/dense_tensor.hpp"
#include "exact/int128.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::rows {
namespace {

/// Axes of a tensor in the order of its addresses; only a sequential input may be channels-last.
std::array<std::size_t, kAxes> address_order(const Architecture& a, const Mapping& m, Tensor t) {
  const bool channels_last = t == Tensor::input && a.input_order == InputOrder::nhwc &&
                             m.layout[index(t)] == Layout::sequential;
  return channels_last ? std::array<std::size_t, kAxes>{0, 3, 4, 1, 2}
                       : std::array<std::size_t, kAxes>{0, 1, 2, 3, 4};
}

Indices block_extents(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  if (m.layout[index(t)] == Layout::sequential) {
    Indices whole = extents(w, t, w.bounds);
    if (t == Tensor::weight) return whole;
    whole[3] = w.frame(t).height;
    whole[4] = w.frame(t).width;
    return whole;
  }
  Indices block = extents(w, t, m.tile(a.row_buffer()));
  if (t == Tensor::input) {
    block[3] = m.input_block.h;
    block[4] = m.input_block.w;
  }
  return block;
}

std::int64_t rows_of(Int128 bytes, std::int64_t row, Tensor t) {
  const Int128 rows = (bytes + row - 1) / row;
  if (rows > std::numeric_limits<std::int64_t>::max() / (8 * row)) {  // room for the bank's bits
    throw InputError("the " + std::string(name(t)) +
                     " is spread over too many DRAM rows; allowed are addresses below 2^60");
  }
  return static_cast<std::int64_t>(rows);
}

}  // namespace

ElementMap element_map(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  const Indices tensor = extents(w, t, w.bounds);
  const Indices block = block_extents(a, w, m, t);
  const auto order = address_order(a, m, t);
  const bool aligned = m.layout[index(t)] == Layout::row_aligned;
  ElementMap map{};
  map.first = aligned ? 0 : first_address(a, w, t);
  Int128 block_stride = aligned ? a.row_bytes() : Int128{0};
  Int128 bytes = aligned ? a.row_bytes() : a.element_bytes(t);
  std::int64_t stride = a.element_bytes(t);
  for (std::size_t k = kAxes; k-- > 0;) {
    const std::size_t i = order[k];
    const std::int64_t blocks = (tensor[i] + block[i] - 1) / block[i];
    map.axes[k] = {i, block[i], static_cast<std::int64_t>(block_stride), stride};
    stride *= block[i];
    block_stride *= blocks;
    bytes *= aligned ? blocks : block[i];
  }
  map.rows = rows_of(bytes, a.row_bytes(), t);
  return map;
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

}  // namespace pimbb::dram_pim::rows
