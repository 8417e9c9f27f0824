// What the oracle knows of tensors and tiles, read off the specification once more.
//
// Every tensor is a five-dimensional array whose axes, in the order of its addresses, are
//   input  N G C H W     weight G K C S R     output N G K Q P
// and every tile of it is a box: an origin and a size along these axes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace oracle {

using pimbb::Dim;
using pimbb::Factors;
using pimbb::index;
using pimbb::kAllDims;
using pimbb::kAllTensors;
using pimbb::kDims;
using pimbb::kTensors;
using pimbb::Tensor;
using pimbb::Workload;
using pimbb::dram_pim::Architecture;
using pimbb::dram_pim::Loop;
using pimbb::dram_pim::Mapping;

using Axes = std::array<std::int64_t, 5>;

struct Box {
  Axes origin{};
  Axes size{};
  [[nodiscard]] std::int64_t volume() const {
    return size[0] * size[1] * size[2] * size[3] * size[4];
  }
};

/// Whether dimension `j` indexes tensor `t`.
bool indexed_by(Tensor t, Dim j);

/// The box of `t` that `shape` loop iterations touch, starting at iteration `origin`.
Box tile_box(const Workload& w, Tensor t, const Factors& origin, const Factors& shape);
std::int64_t tile_elements(const Workload& w, Tensor t, const Factors& shape);
/// Bits that an element takes in memory: its own, or those of whole bytes.
std::int64_t element_bits(const Architecture& a, Tensor t);
/// Bytes that so many elements take in a buffer.
std::int64_t buffer_bytes(const Architecture& a, Tensor t, std::int64_t elements);
/// Bits of a DRAM row.
std::int64_t row_bits(const Architecture& a);

/// Cumulative tile c[level]: all spatial factors, temporal factors of levels 0 .. level.
Factors cumulative(const Mapping& m, std::size_t level);
/// All spatial factors alone, the tile below level 0.
Factors spatial_product(const Mapping& m);

/// One temporal loop and how far one of its steps moves along its dimension.
struct PlacedLoop {
  Dim dim;
  std::int64_t factor;
  std::int64_t step;
};
/// The temporal loops of all levels >= `first`, innermost first; level 0 runs its loop over G
/// outermost and the others in the order R S P Q C K N, however they are listed.
std::vector<PlacedLoop> loops_from(const Mapping& m, std::size_t first);

/// Row-major position of `at` in an array of the given size.
std::int64_t row_major(const Axes& at, const Axes& size);

}  // namespace oracle
