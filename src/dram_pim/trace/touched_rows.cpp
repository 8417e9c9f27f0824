// Dense parts of tiles, and the rows below them.
#include "dram_pim/trace/touched_rows.hpp"

#include <algorithm>

#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/micro_trace.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

std::int64_t blocks(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}

}  // namespace

TouchedRows::TouchedRows(const Moved& moved, const Factors& inner, const Factors& outer, bool whole)
    : moved_(moved),
      outer_(outer),
      cover_(whole ? Cover{inner, inner} : grown(moved, {kOnes, kOnes}, inner, kEveryDim)),
      sequential_(moved.layout == Layout::sequential
                      ? rows::dense_map(moved.architecture, moved.workload, moved.tensor)
                      : rows::ElementMap{}),
      row_(moved.architecture.row_units()) {}

std::int64_t TouchedRows::with(DimMask loops) const {
  const Factors tile = grown(moved_, cover_, outer_, loops).dense;
  if (moved_.layout == Layout::row_aligned) return aligned(tile);
  const rows::Indices extent = rows::extents(moved_.workload, moved_.tensor, tile);
  return rows::least_rows(rows::box_in(sequential_, extent), row_);
}

/// `inner` grown by the loops of `set` up to `outer`, as far as its parts join without gaps. Only
/// the input has gaps.
TouchedRows::Cover TouchedRows::grown(const Moved& moved, const Cover& inner, const Factors& outer,
                                      DimMask set) {
  Cover cover = inner;
  for (const Dim j : kAllDims) {
    if ((set & bit(j)) != 0) cover.tile[index(j)] = outer[index(j)];
  }
  if (moved.tensor != Tensor::input) {
    cover.dense = cover.tile;
    return cover;
  }
  const Workload& w = moved.workload;
  const auto at = [&](Dim j) { return cover.dense[index(j)]; };
  const auto join = [&](Dim j, std::int64_t step, std::int64_t extent) {
    if (!inner.complete(j) || cover.complete(j)) return;
    if (step * inner.tile[index(j)] <= extent) cover.dense[index(j)] = cover.tile[index(j)];
  };
  for (int round = 0; round < 2; ++round) {  // one axis may close the gaps of the other
    join(Dim::S, w.dilation_h, w.extent_h(at(Dim::Q), at(Dim::S)));
    join(Dim::Q, w.stride_h, w.extent_h(at(Dim::Q), at(Dim::S)));
    join(Dim::R, w.dilation_w, w.extent_w(at(Dim::P), at(Dim::R)));
    join(Dim::P, w.stride_w, w.extent_w(at(Dim::P), at(Dim::R)));
  }
  for (const Dim j : {Dim::C, Dim::K, Dim::N, Dim::G}) cover.dense[index(j)] = cover.tile[index(j)];
  return cover;
}

/// Rows of the row-aligned layout that a tile touches, whatever the block.
std::int64_t TouchedRows::aligned(const Factors& tile) const {
  const Factors& row_tile = moved_.row_tile;
  const auto parts = [&](Dim j) { return blocks(tile[index(j)], row_tile[index(j)]); };
  if (moved_.tensor == Tensor::weight) {
    return parts(Dim::R) * parts(Dim::S) * parts(Dim::C) * parts(Dim::K) * parts(Dim::G);
  }
  if (moved_.tensor == Tensor::output) {
    return parts(Dim::P) * parts(Dim::Q) * parts(Dim::K) * parts(Dim::N) * parts(Dim::G);
  }
  const auto at = [&](Dim j) { return tile[index(j)]; };
  const std::int64_t depth = row_tile[index(Dim::C)] * row_tile[index(Dim::N)] *
                             row_tile[index(Dim::G)] *
                             moved_.architecture.element_units(Tensor::input);
  const std::int64_t largest_block = std::max<std::int64_t>(1, row_ / depth);
  const std::int64_t plane = moved_.workload.extent_h(at(Dim::Q), at(Dim::S)) *
                             moved_.workload.extent_w(at(Dim::P), at(Dim::R));
  return parts(Dim::C) * parts(Dim::N) * parts(Dim::G) * blocks(plane, largest_block);
}

}  // namespace pimbb::dram_pim::mapper
