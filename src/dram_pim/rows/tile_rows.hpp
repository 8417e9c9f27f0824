// The bytes of DRAM rows that one row-buffer tile of a tensor lies in: what a picture of a layout
// shows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::rows {

struct TileRows {
  struct Run {
    std::int64_t row;
    std::int64_t column;  ///< byte of the row
    std::int64_t bytes;   ///< rounded up, if elements are packed
  };
  std::int64_t rows = 0;  ///< that the tile touches
  std::vector<Run> runs;  ///< of the first kDrawnRows rows, at most kDrawnRuns, by address
};
inline constexpr std::int64_t kDrawnRows = 16;
inline constexpr std::size_t kDrawnRuns = 24;

/// The tile at the start of the layer, with tensor t in `layout`; nothing if the mapping admits no
/// such layout (a row-aligned tile has to fit a row, and only a row-aligned input has a block), or
/// if the tile has so many runs that counting its rows takes long.
std::optional<TileRows> tile_rows(const Architecture& architecture, const Workload& workload,
                                  const Mapping& mapping, Tensor t, Layout layout);

}  // namespace pimbb::dram_pim::rows
