// Where the elements of a dense tensor lie in memory: a tile as a box of addresses, a loop as a
// step in bytes. Weights lie in the order K C S R, outputs in the order N K Q P, inputs in the
// order N C H W, or N H W C where the architecture says so. Planes of inputs and outputs may be
// part of larger ones (Workload::frame). Where there are groups, channel c of group g is channel
// g * C + c of the input, and k is g * K + k: G stands right outside C or K.
#pragma once

#include <array>
#include <cstdint>

#include "dram_pim/rows/element_map.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::rows {

/// One dimension of a tensor box: `count` positions, `stride` bytes apart.
struct AddressAxis {
  std::int64_t count;
  std::int64_t stride;
};

/// A box of a dense tensor, outermost axis first; walking it row-major ascends in address.
using AddressBox = std::array<AddressAxis, kAxes>;

/// Distance in bytes from the first to the last element of a box.
std::int64_t span(const AddressBox& box);

/// A box of elements in a dense tensor.
AddressBox box_in(const ElementMap& dense, const Indices& extent);

/// The tile of tensor `t` of the given shape (cumulative factors), as a box of its dense tensor.
AddressBox tile_box(const Architecture& architecture, const Workload& workload, Tensor t,
                    const Factors& tile);

/// Address of the first element.
std::int64_t first_address(const Architecture& architecture, const Workload& workload, Tensor t);

/// Bytes that a tile of tensor `t` moves when a dimension advances by one; 0 where irrelevant.
Factors loop_strides(const Architecture& architecture, const Workload& workload, Tensor t);

}  // namespace pimbb::dram_pim::rows
