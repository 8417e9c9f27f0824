// Row activations in closed form: the `analytic` and `hybrid` row models (docs/model.md), and
// `none`, under which rows cost nothing.
//
// Both formulas consist of a part that depends on the row-buffer tile and one that depends on the
// loop orders:
//
//     RowTile    C_stream, alignment, number of tiles, micro-traces, crossings
//     RowReuse   products of the tensor's irrelevant loops at the DRAM (3) and row-buffer (2)
//                level, inner (Reuse: no relevant loop is inside) or outer (Outer)
//
// The search computes the first part once per tile and the second one per loop order. C_stream is a
// fraction with denominator Row; counts are therefore integers in units of 1/Row.
#pragma once

#include <cstdint>
#include <optional>

#include "exact/int128.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/row_model.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::rows {

struct RowReuse {
  Int128 reuse3 = 1;
  Int128 outer3 = 1;
  Int128 reuse2 = 1;
  Int128 outer2 = 1;
};

struct RowTile {
  Int128 stream = 0;         ///< C_stream in units of 1/Row
  bool tensor_fits = false;  ///< the whole tensor fits one row
  bool divides = false;      ///< the tile's bytes divide the row
  std::int64_t tiles = 1;    ///< T: row-buffer tiles of one sweep
  Int128 micro = 0;          ///< A: micro-traces over one sweep; hybrid, sequential input
  std::int64_t cross = 0;    ///< Cross; row-aligned input
};

/// Everything except `micro` and `cross`. `tile` is the cumulative tile at the row buffer.
RowTile row_tile(const Architecture& architecture, const Workload& workload, Tensor t,
                 const Factors& tile);

/// A: rows touched by every row-buffer tile of one sweep of the sequential input, summed.
Int128 micro_trace_sum(const Architecture& architecture, const Workload& workload,
                       const Factors& tile);

/// Cross: the row-buffer tiles of one sweep that straddle an edge of `block`.
std::int64_t crossing_tiles(const Workload& workload, const Factors& tile, const Block& block);

/// N_act in units of 1/Row, for `analytic`, `hybrid` and `none`.
Int128 activations(RowModel model, Tensor t, Layout layout, std::int64_t row, const RowTile& tile,
                   const RowReuse& reuse);

}  // namespace pimbb::dram_pim::rows
