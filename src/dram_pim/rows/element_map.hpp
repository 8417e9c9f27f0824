// Where each element of a tensor lies in its DRAM bank (spec 6): the one home of addresses.
//
// One rule covers every layout: an axis is cut into blocks, and index i adds
//
//     (i / block) * block_stride + (i % block) * stride
//
// units to the address, bytes or, if elements are packed, bits. A sequential tensor is one block a
// side, that of its frame. A row-aligned one has blocks that start on a row each: row-buffer tiles
// for weight and output, boxes of (N tile, G tile, C tile, block_h, block_w) for the input. Taken
// in the order of `axes`, first all block indices and then all indices inside the blocks, any box
// of elements ascends in address (element_runs.hpp walks one).
//
// Traces, walks of streams, micro-traces (dense_tensor.hpp) and copies of tensors (plan/relayout)
// all take their addresses from here. What becomes of an address on the DRAM's pins is
// bank_map.hpp.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::rows {

/// Indices of one element: n g c h w of the input, g k c s r of the weight, n g k q p of the
/// output, with c and k inside their group g.
inline constexpr std::size_t kAxes = 5;
using Indices = std::array<std::int64_t, kAxes>;

/// Indices in the order of addresses, outermost first.
using AxisOrder = std::array<std::size_t, kAxes>;
inline constexpr AxisOrder kRowMajor{0, 1, 2, 3, 4};
inline constexpr AxisOrder kChannelsLast{0, 3, 4, 1, 2};  ///< inputs and outputs: n h w g c

struct ElementAxis {
  std::size_t index;  ///< which of the Indices
  std::int64_t block;
  std::int64_t block_stride;
  std::int64_t stride;

  /// What index i >= 0 adds to the address.
  [[nodiscard]] std::int64_t offset(std::int64_t i) const {
    assert(i >= 0);
    return i / block * block_stride + i % block * stride;
  }
};

struct ElementMap {
  std::array<ElementAxis, kAxes> axes;  ///< in the order of addresses, outermost first
  std::int64_t first;                   ///< address of the first element

  [[nodiscard]] Indices block() const {
    Indices edges{};
    for (const ElementAxis& axis : axes) edges[axis.index] = axis.block;
    return edges;
  }
  /// Address of an element, in its tensor's bank.
  [[nodiscard]] std::int64_t address(const Indices& element) const {
    std::int64_t address = first;
    for (const ElementAxis& axis : axes) address += axis.offset(element[axis.index]);
    return address;
  }
};

/// A tensor in a dense frame of the given sizes; its first element is the frame's element `first`.
ElementMap dense_map(const Indices& frame, std::int64_t element_units,
                     const AxisOrder& order = kRowMajor, const Indices& first = {});
/// A tensor cut into boxes that begin on a row each. A box fits a row.
ElementMap boxed_map(const Indices& sizes, const Indices& box, std::int64_t element_units,
                     std::int64_t row);

/// A tensor of a layer where its mapping puts it; and where a sequential layout would, the order of
/// the input being fixed.
ElementMap element_map(const Architecture& architecture, const Workload& workload,
                       const Mapping& mapping, Tensor t);
ElementMap dense_map(const Architecture& architecture, const Workload& workload, Tensor t);

/// DRAM rows that a tensor occupies, with its frame. Throws InputError if an address would not fit
/// 60 bits.
std::int64_t occupied_rows(const Architecture& architecture, const Workload& workload,
                           const Mapping& mapping, Tensor t);

/// The first element of a tile that starts at these loop indices.
Indices first_element(const Workload& workload, Tensor t, const Factors& start);
/// The extents of a tile of these cumulative factors; the bounds give the whole tensor.
Indices extents(const Workload& workload, Tensor t, const Factors& tile);

/// Blocks of the given edges that a box of elements touches along each index, and those that lie in
/// it entirely.
Indices touched_blocks(const Indices& block, const Indices& begin, const Indices& extent);
Indices whole_blocks(const Indices& block, const Indices& begin, const Indices& extent);
/// The product of all five.
std::int64_t volume(const Indices& extent);

/// Addresses of a box of elements as sums of one number an index, looked up: for walks that ask
/// for millions of them in an order other than that of the addresses.
class AddressTable {
 public:
  /// The element `begin` of the map and those after it, which go by the indices from `name` on.
  AddressTable(const ElementMap& map, const Indices& begin, const Indices& extent,
               const Indices& name);

  /// What one index of an element adds to its address; all five together are the address.
  [[nodiscard]] std::int64_t part(std::size_t index, std::int64_t i) const {
    return parts_[index][static_cast<std::size_t>(i - name_[index])];
  }
  /// Where the run of neighbours in memory ends that goes on at i, along this index; i + 1 if
  /// elements next to each other along it are not neighbours in memory.
  [[nodiscard]] std::int64_t run_end(std::size_t index, std::int64_t i) const {
    return index == inner_ ? run_ends_[static_cast<std::size_t>(i - name_[index])] : i + 1;
  }

 private:
  Indices name_;
  std::array<std::vector<std::int64_t>, kAxes> parts_;
  std::size_t inner_;                   // the index of neighbours in memory
  std::vector<std::int64_t> run_ends_;  // along it
};

}  // namespace pimbb::dram_pim::rows
