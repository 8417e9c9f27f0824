// Rows that sets of loops touch, and the bottleneck table over the sets.
#include "dram_pim/trace/order_floor.hpp"

#include <algorithm>
#include <limits>

#include "dram_pim/rows/micro_trace.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// A part of a tile whose elements are all moved; boxes of it are dense. Where a layer strides over
/// its input, several tiles together need not be: `dense` then stays behind `tile`.
struct Cover {
  Factors tile;
  Factors dense;

  [[nodiscard]] bool complete(Dim j) const { return dense[index(j)] == tile[index(j)]; }
};

/// `inner` grown by the loops of `set`, as far as its parts join without gaps.
Cover grown(const Moved& m, const Cover& inner, const Factors& trips, DimMask set) {
  Cover cover = inner;
  const auto steps = [&](Dim j) { return (set & bit(j)) != 0 && trips[index(j)] > 1; };
  for (const Dim j : kAllDims) {
    if (steps(j)) cover.tile[index(j)] *= trips[index(j)];
  }
  const auto at = [&](Dim j) { return cover.dense[index(j)]; };
  const Workload& w = m.workload;
  const auto join = [&](Dim j, std::int64_t step, std::int64_t extent) {
    if (!steps(j) || !inner.complete(j) || cover.complete(j)) return;
    if (step * inner.tile[index(j)] <= extent) cover.dense[index(j)] = cover.tile[index(j)];
  };
  const bool input = m.tensor == Tensor::input;
  for (int round = 0; round < 2; ++round) {  // one axis may close the gaps of the other
    join(Dim::S, input ? w.dilation_h : 0, w.extent_h(at(Dim::Q), at(Dim::S)));
    join(Dim::Q, input ? w.stride_h : 0, w.extent_h(at(Dim::Q), at(Dim::S)));
    join(Dim::R, input ? w.dilation_w : 0, w.extent_w(at(Dim::P), at(Dim::R)));
    join(Dim::P, input ? w.stride_w : 0, w.extent_w(at(Dim::P), at(Dim::R)));
  }
  for (const Dim j : {Dim::C, Dim::K, Dim::N, Dim::G}) cover.dense[index(j)] = cover.tile[index(j)];
  return cover;
}

/// Of a tile that moves as a whole, or in parts that may be single elements.
Cover cover_of(const Moved& m, const Factors& tile, bool whole) {
  return whole ? Cover{tile, tile} : grown(m, {kOnes, kOnes}, tile, kEveryDim);
}

std::int64_t blocks(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}

/// Rows of the row-aligned layout that a tile touches, whatever the block.
std::int64_t aligned_rows(const Moved& m, const Factors& tile) {
  const auto parts = [&](Dim j) { return blocks(tile[index(j)], m.row_tile[index(j)]); };
  if (m.tensor == Tensor::weight) {
    return parts(Dim::R) * parts(Dim::S) * parts(Dim::C) * parts(Dim::K) * parts(Dim::G);
  }
  if (m.tensor == Tensor::output) {
    return parts(Dim::P) * parts(Dim::Q) * parts(Dim::K) * parts(Dim::N) * parts(Dim::G);
  }
  const auto at = [&](Dim j) { return tile[index(j)]; };
  const std::int64_t depth = m.row_tile[index(Dim::C)] * m.row_tile[index(Dim::N)] *
                             m.row_tile[index(Dim::G)] *
                             m.architecture.element_units(Tensor::input);
  const std::int64_t largest_block = std::max<std::int64_t>(1, m.architecture.row_units() / depth);
  const std::int64_t plane =
      m.workload.extent_h(at(Dim::Q), at(Dim::S)) * m.workload.extent_w(at(Dim::P), at(Dim::R));
  return parts(Dim::C) * parts(Dim::N) * parts(Dim::G) * blocks(plane, largest_block);
}

}  // namespace

OrderFloor::OrderFloor(const Moved& moved, const Factors& inner, const Factors& outer, bool whole,
                       DimMask innermost, const OrderFloor* further_out)
    : t_(moved.tensor),
      layout_(moved.layout),
      outside_row_buffer_(further_out == nullptr),
      innermost_(innermost),
      trips_(kOnes),
      all_trips_(further_out == nullptr ? 1 : further_out->all_trips_) {
  for (const Dim j : kAllDims) {
    trips_[index(j)] = outer[index(j)] / inner[index(j)];
    if (trips_[index(j)] == 1) continue;
    loops_ |= bit(j);
    all_trips_ *= trips_[index(j)];
  }
  innermost_ &= loops_;
  count_rows(moved, inner, whole);
  fill(true, further_out);
  fill(false, further_out);
}

void OrderFloor::count_rows(const Moved& moved, const Factors& inner, bool whole) {
  const Cover cover = cover_of(moved, inner, whole);
  const DimMask relevant = loops_ & static_cast<DimMask>(~irrelevant_mask(t_));
  // Subsets in ascending order: every set comes after the sets inside it.
  for (DimMask set = 0;; set = static_cast<DimMask>((set - loops_) & loops_)) {
    outside_[set] = all_trips_;
    for (const Dim j : kAllDims) {
      if ((set & bit(j)) != 0) outside_[set] /= trips_[index(j)];
    }
    const DimMask seen = set & relevant;
    if (seen != set) {
      rows_[set] = rows_[seen];
    } else {
      const Factors tile = grown(moved, cover, trips_, set).dense;
      rows_[set] =
          layout_ == Layout::row_aligned
              ? aligned_rows(moved, tile)
              : rows::least_rows(rows::tile_box(moved.architecture, moved.workload, t_, tile),
                                 moved.architecture.row_units());
    }
    if (set == loops_) return;
  }
}

bool OrderFloor::changes_group(Dim j) const {
  if (layout_ != Layout::row_aligned || !outside_row_buffer_ || !relevant(t_, j)) return false;
  return t_ != Tensor::input || j == Dim::N || j == Dim::C || j == Dim::G;
}

std::int64_t OrderFloor::step(DimMask inside, bool moves, Dim next) const {
  const bool inner_moves = moves || (inside & ~irrelevant_mask(t_)) != 0;
  if (!inner_moves && !relevant(t_, next)) return 1;
  if (changes_group(next)) return outside_[inside] * rows_[inside];
  return outside_[inside] * (rows_[inside] - 1) + 1;
}

void OrderFloor::fill(bool moves, const OrderFloor* further_out) {
  auto& table = to_come_[moves ? 1 : 0];
  // Descending: a set after those that contain it.
  for (DimMask set = loops_;; set = static_cast<DimMask>((set - 1) & loops_)) {
    if (set == loops_) {
      const bool all_move = moves || (set & ~irrelevant_mask(t_)) != 0;
      table[set] = further_out != nullptr ? further_out->least(all_move) : rows_[set];
    } else {
      table[set] = std::numeric_limits<std::int64_t>::max();
      for (const Dim j : kAllDims) {
        if ((loops_ & bit(j)) == 0 || (set & bit(j)) != 0) continue;
        if (set == 0 && (innermost_ & bit(j)) == 0) continue;
        const auto with = static_cast<DimMask>(set | bit(j));
        table[set] = std::min(table[set], std::max(step(set, moves, j), table[with]));
      }
    }
    if (set == 0) return;
  }
}

}  // namespace pimbb::dram_pim::mapper
