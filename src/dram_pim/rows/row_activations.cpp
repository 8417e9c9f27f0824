// The closed formulas of the analytic and hybrid row models.
#include "dram_pim/rows/row_activations.hpp"

#include <algorithm>
#include <numeric>

#include "dram_pim/rows/crossings.hpp"
#include "dram_pim/rows/micro_trace.hpp"
#include "dram_pim/rows/offset_counts.hpp"

namespace pimbb::dram_pim::rows {
namespace {

Int128 analytic(Tensor t, Layout layout, std::int64_t row, const RowTile& tile, const RowReuse& r) {
  const Int128 repeats = r.reuse3 * r.reuse2 * r.outer2;
  if (layout == Layout::sequential) {
    return tile.stream * (tile.divides ? 1 : repeats) * r.outer3;
  }
  const Int128 crossings = t == Tensor::input ? 2 * static_cast<Int128>(tile.cross) * repeats : 0;
  return (tile.tiles * r.outer3 + crossings) * row;
}

Int128 hybrid(Tensor t, Layout layout, std::int64_t row, const RowTile& tile, const RowReuse& r) {
  const Int128 reuse = r.reuse3 * r.reuse2;
  const Int128 outer = r.outer3 * r.outer2;
  if (layout == Layout::row_aligned) {
    const Int128 crossings = t == Tensor::input ? 2 * static_cast<Int128>(tile.cross) * reuse : 0;
    return (tile.tiles * reuse * outer + crossings) * row;
  }
  if (t == Tensor::input) {
    return (tile.tiles + (tile.micro - tile.tiles) * reuse) * r.outer3 * row;
  }
  return tile.stream * reuse * (tile.divides || reuse == 1 ? 1 : 2) * outer;
}

/// Tiles along one axis that straddle a block edge, over all `taps` kernel offsets, which are
/// periodic modulo the block.
std::int64_t straddling(std::int64_t steps, std::int64_t step, std::int64_t taps,
                        std::int64_t tap_step, std::int64_t tile, std::int64_t block) {
  const std::int64_t period = block / std::gcd(tap_step, block);
  std::int64_t count = 0;
  for (std::int64_t g = 0; g < std::min(taps, period); ++g) {
    const std::int64_t equal = (taps - g + period - 1) / period;
    count += equal * count_crossings(steps, step, g * tap_step, tile, block);
  }
  return count;
}

}  // namespace

RowTile row_tile(const Architecture& architecture, const Workload& workload, Tensor t,
                 const Factors& tile) {
  const std::int64_t row = architecture.row_units();
  const std::int64_t one = architecture.element_units(t);
  RowTile result;
  const Int128 tensor = static_cast<Int128>(workload.tensor_elements(t)) * one;
  result.stream = std::max<Int128>(row, tensor);
  result.tensor_fits = tensor <= row;
  result.divides = row % (workload.tile_elements(t, tile) * one) == 0;
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) result.tiles *= workload.bound(j) / tile[index(j)];
  }
  return result;
}

Int128 micro_trace_sum(const Architecture& architecture, const Workload& workload,
                       const Factors& tile) {
  const Factors strides = loop_strides(architecture, workload, Tensor::input);
  OffsetCounts starts(architecture.row_units());
  for (const Dim j : kAllDims) {
    if (!relevant(Tensor::input, j)) continue;
    const std::int64_t step = tile[index(j)];
    starts.repeat(workload.bound(j) / step, step * strides[index(j)]);
  }
  return starts.weigh(rows_by_offset(tile_box(architecture, workload, Tensor::input, tile),
                                     architecture.row_units()));
}

std::int64_t crossing_tiles(const Workload& workload, const Factors& tile, const Block& block) {
  const auto at = [&](Dim d) { return tile[index(d)]; };
  const auto trips = [&](Dim d) { return workload.bound(d) / at(d); };
  const std::int64_t along_h = straddling(trips(Dim::Q), workload.stride_h * at(Dim::Q),
                                          trips(Dim::S), workload.dilation_h * at(Dim::S),
                                          workload.extent_h(at(Dim::Q), at(Dim::S)), block.h);
  const std::int64_t along_w = straddling(trips(Dim::P), workload.stride_w * at(Dim::P),
                                          trips(Dim::R), workload.dilation_w * at(Dim::R),
                                          workload.extent_w(at(Dim::P), at(Dim::R)), block.w);
  return (along_h * trips(Dim::P) * trips(Dim::R) + along_w * trips(Dim::Q) * trips(Dim::S)) *
         trips(Dim::C) * trips(Dim::N) * trips(Dim::G);
}

Int128 activations(RowModel model, Tensor t, Layout layout, std::int64_t row, const RowTile& tile,
                   const RowReuse& reuse) {
  if (model == RowModel::none) return 0;
  if (layout == Layout::sequential && tile.tensor_fits) return row;
  return model == RowModel::analytic ? analytic(t, layout, row, tile, reuse)
                                     : hybrid(t, layout, row, tile, reuse);
}

}  // namespace pimbb::dram_pim::rows
