// The walk: an odometer over the loops that move tiles.
#include "dram_pim/rows/walk.hpp"

#include <optional>
#include <vector>

#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/micro_trace.hpp"
#include "dram_pim/rows/stream.hpp"

namespace pimbb::dram_pim::rows {
namespace {

struct Touched {
  std::int64_t first_row;
  std::int64_t last_row;
  std::int64_t rows;
};

/// The rows of one moved tile, wherever it is.
class MovedRows {
 public:
  MovedRows(const Architecture& a, const Workload& w, const Mapping& m, Tensor t,
            const Factors& tile)
      : workload_(w),
        tensor_(t),
        row_(a.row_units()),
        map_(element_map(a, w, m, t)),
        extent_(extents(w, t, tile)) {
    if (m.layout[index(t)] == Layout::sequential)
      by_offset_ = rows_by_offset(box_in(map_, extent_), row_);
  }

  /// Of the tile that starts at these loop indices.
  [[nodiscard]] Touched touch(const Factors& start) const {
    const Indices first = first_element(workload_, tensor_, start);
    Indices last = first;
    for (std::size_t i = 0; i < kAxes; ++i) last[i] += extent_[i] - 1;
    const std::int64_t address = map_.address(first);
    return {address / row_, map_.address(last) / row_,
            by_offset_ ? by_offset_->at(address % row_)
                       : volume(touched_blocks(map_.block(), first, extent_))};
  }

 private:
  const Workload& workload_;
  Tensor tensor_;
  std::int64_t row_;
  ElementMap map_;
  Indices extent_;
  std::optional<StepFunction> by_offset_;  ///< sequential: rows by start address modulo the row
};

/// Advances the innermost loop, carrying outwards; false after the last iteration.
bool advance(const std::vector<MoveLoop>& loops, std::vector<std::int64_t>& at, Factors& start) {
  for (std::size_t k = loops.size(); k-- > 0;) {
    const MoveLoop& loop = loops[k];
    if (++at[k] < loop.trips) {
      start[index(loop.dim)] += loop.advance;
      return true;
    }
    start[index(loop.dim)] -= (loop.trips - 1) * loop.advance;
    at[k] = 0;
  }
  return false;
}

}  // namespace

Int128 walk_activations(const Architecture& architecture, const Workload& workload,
                        const Mapping& mapping, Tensor t) {
  const Stream stream = stream_of(architecture, mapping, t);
  const MovedRows rows(architecture, workload, mapping, t, stream.tile);
  std::vector<std::int64_t> at(stream.loops.size());
  Factors start{};
  std::int64_t open_row = -1;
  Int128 count = 0;
  do {
    const Touched tile = rows.touch(start);
    count += tile.rows - (tile.first_row == open_row ? 1 : 0);
    // Moved again, a tile finds its last row open: it opens all of its rows unless it has just one.
    if (tile.rows > 1) count += (stream.repeats - 1) * tile.rows;
    open_row = tile.last_row;
  } while (advance(stream.loops, at, start));
  return count;
}

}  // namespace pimbb::dram_pim::rows
