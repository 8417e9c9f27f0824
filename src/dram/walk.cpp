// The walk: an odometer over the loops that move tiles, and one address map a layout.
#include "dram/walk.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "dram/micro_trace.hpp"

namespace pimbb::dram {
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
      : row_(a.row_bytes()) {
    Box box{};
    if (t == Tensor::input) {
      const auto [n, c, h, v] = input_strides(a, w);
      stride_ = {v * w.dilation_w, h * w.dilation_h, v * w.stride_w, h * w.stride_h, c, 0, n};
      box = input_box(a, w, tile);
    } else {
      const std::array<Dim, 4> order = t == Tensor::weight
                                           ? std::array{Dim::K, Dim::C, Dim::S, Dim::R}
                                           : std::array{Dim::N, Dim::K, Dim::Q, Dim::P};
      std::int64_t stride = a.element_bytes(t);
      for (std::size_t k = 4; k-- > 0;) {
        box[k] = {tile[index(order[k])], stride};
        stride_[index(order[k])] = stride;
        stride *= w.bound(order[k]);
      }
    }
    span_ = span(box);
    rows_ = rows_by_offset(box, row_);
  }

  [[nodiscard]] Touched touch(const Position& start) const override {
    std::int64_t address = 0;
    for (std::size_t j = 0; j < kDims; ++j) address += start[j] * stride_[j];
    return {address / row_, (address + span_) / row_,
            rows_[static_cast<std::size_t>(address % row_)]};
  }

 private:
  std::int64_t row_;
  Factors stride_{};  // bytes per step of each dimension; 0 where irrelevant
  std::int64_t span_ = 0;
  std::vector<std::int64_t> rows_;
};

/// Row-aligned weight or output: every row-buffer tile has a row of its own, and a moved tile lies
/// inside one of them.
class AlignedMap final : public AddressMap {
 public:
  AlignedMap(const Workload& w, Tensor t, const Factors& rb_tile) : tile_(rb_tile) {
    std::int64_t stride = 1;
    for (const Dim j : t == Tensor::weight ? std::array{Dim::R, Dim::S, Dim::C, Dim::K}
                                           : std::array{Dim::P, Dim::Q, Dim::K, Dim::N}) {
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

/// Row-aligned input: one row for each block of each group of (N tile, C tile); the window of a
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
        n_tile_(rb_tile[index(Dim::N)]) {}

  [[nodiscard]] Touched touch(const Position& start) const override {
    const auto at = [&](Dim d) { return start[index(d)]; };
    const std::int64_t h = at(Dim::Q) * w_.stride_h + at(Dim::S) * w_.dilation_h;
    const std::int64_t w = at(Dim::P) * w_.stride_w + at(Dim::R) * w_.dilation_w;
    const std::int64_t group =
        at(Dim::N) / n_tile_ * (w_.bound(Dim::C) / c_tile_) + at(Dim::C) / c_tile_;
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
  std::int64_t n_tile_;
};

struct Step {  ///< one loop of the walk
  std::size_t dim;
  std::int64_t trips;
  std::int64_t advance;  ///< elements of the dimension per iteration
};

/// What is moved and by which loops, outermost first.
struct Stream {
  Factors tile = kOnes;
  std::vector<Step> loops;
  Int128 repeats = 1;  ///< how often each tile moves in a row (no level inside stores the tensor)
};

void add_level(Stream& stream, const std::vector<Loop>& loops, const Factors& below) {
  for (const Loop& loop : loops) {
    stream.loops.push_back({index(loop.dim), loop.factor, below[index(loop.dim)]});
  }
}

/// The loops of level 0, which run in the fixed order R S P Q C K N whatever the mapping lists.
std::vector<Loop> pe_loops(const Mapping& m) {
  std::vector<Loop> loops = m.levels[0].loops;
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.dim < b.dim; });
  return loops;
}

Stream stream_of(const Architecture& a, const Mapping& m, Tensor t) {
  Stream stream;
  std::size_t inner = a.row_buffer();
  while (inner > 0 && !m.levels[inner - 1].stores[index(t)]) --inner;
  const bool stored = inner > 0;  // then level inner - 1 stores t
  stream.tile = stored ? m.tile(inner - 1) : m.spatial_tile();
  for (std::size_t level = a.levels.size(); level-- > std::max<std::size_t>(inner, 1);) {
    add_level(stream, m.levels[level].loops, m.tile(level - 1));
  }
  if (!stored) add_level(stream, pe_loops(m), m.spatial_tile());
  // Irrelevant loops inside the innermost relevant one move nothing where the tile is stored, and
  // move the same tile again where it is not.
  while (!stream.loops.empty() && !relevant(t, kAllDims[stream.loops.back().dim])) {
    if (!stored) stream.repeats *= stream.loops.back().trips;
    stream.loops.pop_back();
  }
  return stream;
}

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
bool advance(const std::vector<Step>& loops, std::vector<std::int64_t>& at, Position& start) {
  for (std::size_t k = loops.size(); k-- > 0;) {
    const Step& loop = loops[k];
    if (++at[k] < loop.trips) {
      start[loop.dim] += loop.advance;
      return true;
    }
    start[loop.dim] -= (loop.trips - 1) * loop.advance;
    at[k] = 0;
  }
  return false;
}

}  // namespace

std::optional<std::int64_t> walk_activations(const Architecture& architecture,
                                             const Workload& workload, const Mapping& mapping,
                                             Tensor t, const WalkLimit& limit) {
  constexpr std::uint32_t kPoll = 1U << 16;
  const Stream stream = stream_of(architecture, mapping, t);
  const auto map = address_map(architecture, workload, mapping, t, stream.tile);
  std::vector<std::int64_t> at(stream.loops.size());
  Position start{};
  std::int64_t open_row = -1;
  Int128 count = 0;
  std::uint32_t moves = 0;
  do {
    const Touched tile = map->touch(start);
    count += tile.rows - (tile.first_row == open_row ? 1 : 0);
    // Moved again, a tile finds its last row open: it opens all of its rows unless it has just one.
    if (tile.rows > 1) count += (stream.repeats - 1) * tile.rows;
    open_row = tile.last_row;
    if (count > limit.activations) break;
    if (++moves % kPoll == 0 && limit.stop && limit.stop()) return std::nullopt;
  } while (advance(stream.loops, at, start));
  return static_cast<std::int64_t>(
      std::min<Int128>(count, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace pimbb::dram
