// The walk: an odometer over the loops that move tiles, and one address map a layout.
#include "dram_pim/rows/walk.hpp"

#include <memory>
#include <vector>

#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/micro_trace.hpp"
#include "dram_pim/rows/stream.hpp"

namespace pimbb::dram_pim::rows {
namespace {

/// First element of a moved tile, in elements of the tensor: one coordinate a dimension.
using Position = Factors;

struct Touched {
  std::int64_t first_row;
  std::int64_t last_row;
  std::int64_t rows;
};

class AddressMap {
 public:
  virtual ~AddressMap() = default;
  [[nodiscard]] virtual Touched touch(const Position& start) const = 0;
};

/// Dense tensors: rows by start address modulo the row.
class SequentialMap final : public AddressMap {
 public:
  SequentialMap(const Architecture& a, const Workload& w, Tensor t, const Factors& tile)
      : row_(a.row_bytes()), first_(first_address(a, w, t)), stride_(loop_strides(a, w, t)) {
    const Box box = tile_box(a, w, t, tile);
    span_ = span(box);
    rows_ = rows_by_offset(box, row_);
  }

  [[nodiscard]] Touched touch(const Position& start) const override {
    std::int64_t address = first_;
    for (std::size_t j = 0; j < kDims; ++j) address += start[j] * stride_[j];
    return {address / row_, (address + span_) / row_, rows_.at(address % row_)};
  }

 private:
  std::int64_t row_;
  std::int64_t first_;
  Factors stride_;
  std::int64_t span_ = 0;
  StepFunction rows_;
};

/// Row-aligned weight or output: every row-buffer tile has a row of its own, and a moved tile lies
/// inside one of them.
class AlignedMap final : public AddressMap {
 public:
  AlignedMap(const Workload& w, Tensor t, const Factors& rb_tile) : tile_(rb_tile) {
    std::int64_t stride = 1;
    for (const Dim j : t == Tensor::weight ? std::array{Dim::R, Dim::S, Dim::C, Dim::K, Dim::G}
                                           : std::array{Dim::P, Dim::Q, Dim::K, Dim::G, Dim::N}) {
      stride_[index(j)] = stride;
      stride *= w.bound(j) / rb_tile[index(j)];
    }
  }

  [[nodiscard]] Touched touch(const Position& start) const override {
    std::int64_t row = 0;
    for (std::size_t j = 0; j < kDims; ++j) row += start[j] / tile_[j] * stride_[j];
    return {row, row, 1};
  }

 private:
  Factors tile_;
  Factors stride_{};
};

/// Row-aligned input: one row for each block of each (N tile, G tile, C tile); the window of a
/// moved tile may overlap several blocks.
class BlockMap final : public AddressMap {
 public:
  BlockMap(const Workload& w, const Factors& tile, const Factors& rb_tile, const Block& block)
      : w_(w),
        block_(block),
        high_(w.extent_h(tile[index(Dim::Q)], tile[index(Dim::S)])),
        wide_(w.extent_w(tile[index(Dim::P)], tile[index(Dim::R)])),
        blocks_h_((w.input_height() + block.h - 1) / block.h),
        blocks_w_((w.input_width() + block.w - 1) / block.w),
        c_tile_(rb_tile[index(Dim::C)]),
        g_tile_(rb_tile[index(Dim::G)]),
        n_tile_(rb_tile[index(Dim::N)]) {}

  [[nodiscard]] Touched touch(const Position& start) const override {
    const auto at = [&](Dim d) { return start[index(d)]; };
    const std::int64_t h = at(Dim::Q) * w_.stride_h + at(Dim::S) * w_.dilation_h;
    const std::int64_t w = at(Dim::P) * w_.stride_w + at(Dim::R) * w_.dilation_w;
    const std::int64_t channel_tiles =
        at(Dim::N) / n_tile_ * (w_.bound(Dim::G) / g_tile_) + at(Dim::G) / g_tile_;
    const std::int64_t group = channel_tiles * (w_.bound(Dim::C) / c_tile_) + at(Dim::C) / c_tile_;
    const std::int64_t h0 = h / block_.h;
    const std::int64_t h1 = (h + high_ - 1) / block_.h;
    const std::int64_t w0 = w / block_.w;
    const std::int64_t w1 = (w + wide_ - 1) / block_.w;
    const std::int64_t base = group * blocks_h_;
    return {(base + h0) * blocks_w_ + w0, (base + h1) * blocks_w_ + w1,
            (h1 - h0 + 1) * (w1 - w0 + 1)};
  }

 private:
  const Workload& w_;
  Block block_;
  std::int64_t high_;
  std::int64_t wide_;
  std::int64_t blocks_h_;
  std::int64_t blocks_w_;
  std::int64_t c_tile_;
  std::int64_t g_tile_;
  std::int64_t n_tile_;
};

std::unique_ptr<AddressMap> address_map(const Architecture& a, const Workload& w, const Mapping& m,
                                        Tensor t, const Factors& tile) {
  if (m.layout[index(t)] == Layout::sequential) {
    return std::make_unique<SequentialMap>(a, w, t, tile);
  }
  const Factors rb_tile = m.tile(a.row_buffer());
  if (t == Tensor::input) return std::make_unique<BlockMap>(w, tile, rb_tile, m.input_block);
  return std::make_unique<AlignedMap>(w, t, rb_tile);
}

/// Advances the innermost loop, carrying outwards; false after the last iteration.
bool advance(const std::vector<MoveLoop>& loops, std::vector<std::int64_t>& at, Position& start) {
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
  const auto map = address_map(architecture, workload, mapping, t, stream.tile);
  std::vector<std::int64_t> at(stream.loops.size());
  Position start{};
  std::int64_t open_row = -1;
  Int128 count = 0;
  do {
    const Touched tile = map->touch(start);
    count += tile.rows - (tile.first_row == open_row ? 1 : 0);
    // Moved again, a tile finds its last row open: it opens all of its rows unless it has just one.
    if (tile.rows > 1) count += (stream.repeats - 1) * tile.rows;
    open_row = tile.last_row;
  } while (advance(stream.loops, at, start));
  return count;
}

}  // namespace pimbb::dram_pim::rows
