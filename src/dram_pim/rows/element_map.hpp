// Where each element of a tensor lies in its DRAM bank (spec 6).
//
// One rule covers every layout: an axis is cut into blocks, and index i adds
//
//     (i / block) * block_stride + (i % block) * stride
//
// bytes to the address. A sequential tensor is one block a side, that of its frame. A row-aligned
// one has blocks that start on a row each: row-buffer tiles for weight and output, boxes of (N
// tile, G tile, C tile, block_h, block_w) for the input. Taken in the order of `axes`, first all
// block indices and then all indices inside the blocks, any box of elements ascends in address.
#pragma once

#include <array>
#include <cstdint>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::rows {

/// Indices of one element: n g c h w of the input, g k c s r of the weight, n g k q p of the
/// output, with c and k inside their group g.
inline constexpr std::size_t kAxes = 5;
using Indices = std::array<std::int64_t, kAxes>;

struct ElementAxis {
  std::size_t index;  ///< which of the Indices
  std::int64_t block;
  std::int64_t block_stride;
  std::int64_t stride;
};

struct ElementMap {
  std::array<ElementAxis, kAxes> axes;  ///< in the order of addresses, outermost first
  std::int64_t first;                   ///< address of the first element
  std::int64_t rows;                    ///< DRAM rows that the tensor occupies, with its frame
};

ElementMap element_map(const Architecture& architecture, const Workload& workload,
                       const Mapping& mapping, Tensor t);

/// The first element of a tile that starts at these loop indices.
Indices first_element(const Workload& workload, Tensor t, const Factors& start);
/// The extents of a tile of these cumulative factors; the bounds give the whole tensor.
Indices extents(const Workload& workload, Tensor t, const Factors& tile);

}  // namespace pimbb::dram_pim::rows
