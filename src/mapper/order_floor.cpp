// Rows that sets of loops touch, and the bottleneck table over the sets.
#include "mapper/order_floor.hpp"

#include <algorithm>
#include <limits>

#include "dram/micro_trace.hpp"

namespace pimbb::mapper {
namespace {

constexpr DimMask bit(Dim j) { return static_cast<DimMask>(1U << index(j)); }

/// `inner` grown by the loops of `set`, as far as its parts of the input join without gaps: what
/// the loops cover at least.
Factors covered(const Moved& m, const Factors& inner, const Factors& trips, DimMask set) {
  Factors tile = inner;
  const auto at = [&](Dim j) -> std::int64_t& { return tile[index(j)]; };
  const auto grow = [&](Dim j, std::int64_t step, std::int64_t extent) {
    const bool waits = (set & bit(j)) != 0 && at(j) == inner[index(j)];
    if (waits && step * at(j) <= extent) at(j) *= trips[index(j)];
  };
  const Workload& w = m.workload;
  for (const Dim j : {Dim::C, Dim::K, Dim::N}) {
    if ((set & bit(j)) != 0) at(j) *= trips[index(j)];
  }
  if (m.tensor != Tensor::input) {
    for (const Dim j : {Dim::R, Dim::S, Dim::P, Dim::Q}) {
      if ((set & bit(j)) != 0) at(j) *= trips[index(j)];
    }
    return tile;
  }
  for (int round = 0; round < 2; ++round) {  // one axis may close the gaps of the other
    grow(Dim::S, w.dilation_h, w.extent_h(at(Dim::Q), at(Dim::S)));
    grow(Dim::Q, w.stride_h, w.extent_h(at(Dim::Q), at(Dim::S)));
    grow(Dim::R, w.dilation_w, w.extent_w(at(Dim::P), at(Dim::R)));
    grow(Dim::P, w.stride_w, w.extent_w(at(Dim::P), at(Dim::R)));
  }
  return tile;
}

std::int64_t blocks(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}

/// Rows of the row-aligned layout that a tile touches, whatever the block.
std::int64_t aligned_rows(const Moved& m, const Factors& tile) {
  const auto parts = [&](Dim j) { return blocks(tile[index(j)], m.row_tile[index(j)]); };
  if (m.tensor == Tensor::weight) {
    return parts(Dim::R) * parts(Dim::S) * parts(Dim::C) * parts(Dim::K);
  }
  if (m.tensor == Tensor::output) {
    return parts(Dim::P) * parts(Dim::Q) * parts(Dim::K) * parts(Dim::N);
  }
  const auto at = [&](Dim j) { return tile[index(j)]; };
  const std::int64_t depth = m.row_tile[index(Dim::C)] * m.row_tile[index(Dim::N)] *
                             m.architecture.element_bytes(Tensor::input);
  const std::int64_t largest_block = std::max<std::int64_t>(1, m.architecture.row_bytes() / depth);
  const std::int64_t plane =
      m.workload.extent_h(at(Dim::Q), at(Dim::S)) * m.workload.extent_w(at(Dim::P), at(Dim::R));
  return parts(Dim::C) * parts(Dim::N) * blocks(plane, largest_block);
}

}  // namespace

OrderFloor::OrderFloor(const Moved& moved, const Factors& inner, const Factors& outer,
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
  count_rows(moved, inner);
  fill(true, further_out);
  fill(false, further_out);
}

void OrderFloor::count_rows(const Moved& moved, const Factors& inner) {
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
      const Factors tile = covered(moved, inner, trips_, set);
      rows_[set] =
          layout_ == Layout::row_aligned
              ? aligned_rows(moved, tile)
              : dram::least_rows(dram::tile_box(moved.architecture, moved.workload, t_, tile),
                                 moved.architecture.row_bytes());
    }
    if (set == loops_) return;
  }
}

bool OrderFloor::changes_group(Dim j) const {
  if (layout_ != Layout::row_aligned || !outside_row_buffer_ || !relevant(t_, j)) return false;
  return t_ != Tensor::input || j == Dim::N || j == Dim::C;
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

}  // namespace pimbb::mapper
