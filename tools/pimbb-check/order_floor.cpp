// Rows below sets of loops, and the least of the largest over chains of sets.
#include "order_floor.hpp"

#include <algorithm>

namespace pimbb_check {
namespace {

std::int64_t parts(std::int64_t length, std::int64_t part) { return (length + part - 1) / part; }

/// A tile, and a dense part of it whose elements are all moved: it may stay behind where a layer
/// strides over its input and parts of the tile move one by one.
struct Cover {
  Factors tile, dense;
};

/// With the loops of `set`, which lead to `outer`, around it; the dense part grows where copies of
/// it join without gaps.
Cover grown(const Problem& p, std::size_t t, const Cover& inner, const Factors& outer, DimSet set) {
  Cover cover = inner;
  for (std::size_t j = 0; j < kDims; ++j) {
    if (contains(set, j)) cover.tile[j] = outer[j];
  }
  Factors& c = cover.dense;
  const auto join = [&](std::size_t j, std::int64_t step, std::int64_t extent) {
    if (!contains(set, j) || inner.dense[j] != inner.tile[j]) return;
    if (t != kInput || times<Int128>(step, inner.tile[j]) <= extent) c[j] = cover.tile[j];
  };
  for (int round = 0; round < 2; ++round) {  // one dimension may close the gaps of the other
    join(S, p.dilation_h, p.height(c[Q], c[S]));
    join(Q, p.stride_h, p.height(c[Q], c[S]));
    join(R, p.dilation_w, p.width(c[P], c[R]));
    join(P, p.stride_w, p.width(c[P], c[R]));
  }
  for (const Dim j : {C, K, N, G}) c[j] = cover.tile[j];
  return cover;
}

std::int64_t aligned_rows(const Problem& p, std::size_t t, const Factors& row_tile,
                          const Factors& c) {
  std::int64_t rows = 1;
  for (std::size_t j = 0; j < kDims; ++j) {
    if (relevant(t, j) && (t != kInput || j == C || j == N || j == G)) {
      rows = times(rows, parts(c[j], row_tile[j]));
    }
  }
  if (t != kInput) return rows;
  // No block is larger than a row.
  const Count depth = product({row_tile[C], row_tile[N], row_tile[G], p.element_units[kInput]});
  const auto block = static_cast<std::int64_t>(std::max<Count>(1, p.row_units / depth));
  return times(rows, parts(p.height(c[Q], c[S]) * p.width(c[P], c[R]), block));
}

/// Different a * i + b * k with i < m, k < n; m at least, which is what huge planes count for.
std::int64_t different(std::int64_t a, std::int64_t m, std::int64_t b, std::int64_t n) {
  constexpr std::int64_t kMost = 1 << 24;
  if (m * n > kMost || a * (m - 1) + b * (n - 1) > kMost) return m;
  std::vector<bool> found(static_cast<std::size_t>(a * (m - 1) + b * (n - 1) + 1));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t k = 0; k < n; ++k) found[static_cast<std::size_t>(a * i + b * k)] = true;
  }
  return std::count(found.begin(), found.end(), true);
}

}  // namespace

std::vector<LayoutKind> sequential_layouts(const Problem& p, std::size_t t) {
  std::vector<LayoutKind> layouts;
  if (!p.constraints.may_be(t, false)) return layouts;
  for (const bool channels_last : {false, true}) {
    if (t == kInput ? p.admits_order(channels_last) : !channels_last) {
      layouts.push_back({nullptr, channels_last});
    }
  }
  return layouts;
}

OrderFloor::OrderFloor(const Problem& p, std::size_t t, const LayoutKind& layout,
                       const Factors& inner, const Factors& outer, bool whole, std::size_t s,
                       const OrderFloor* outwards)
    : loops_(loops_between(inner, outer)),
      seen_(~irrelevant_dims(t)),
      all_trips_(outwards == nullptr ? 1 : outwards->all_trips_) {
  for (std::size_t j = 0; j < kDims; ++j) all_trips_ *= trips_[j] = outer[j] / inner[j];
  if (layout.row_tile != nullptr && outwards == nullptr) {
    groups_ = seen_ & (t == kInput ? 1U << N | 1U << G | 1U << C : ~0U);
  }
  const Cover base = whole ? Cover{inner, inner} : grown(p, t, {kOnes, kOnes}, inner, ~0U);
  // All sets, each after those inside it.
  for (DimSet set = 0, last = 1; last != 0; set = last = (set - loops_) & loops_) {
    outside_[set] = all_trips_;
    for (std::size_t j = 0; j < kDims; ++j) {
      if (contains(set, j)) outside_[set] /= trips_[j];
    }
    if ((set & seen_) != set) {
      rows_[set] = rows_[set & seen_];
      continue;
    }
    const Factors c = grown(p, t, base, outer, set).dense;
    rows_[set] = layout.row_tile != nullptr
                     ? aligned_rows(p, t, *layout.row_tile, c)
                     : least_rows(box(p, t, c, layout.channels_last), p.row_units);
  }
  for (const bool moves : {false, true}) fill(moves, loops_ & irrelevant_dims(s), outwards);
}

std::int64_t OrderFloor::step(bool moves, DimSet inside, std::size_t j) const {
  if (!moves && ((inside | 1U << j) & seen_) == 0) return 1;  // the tile stays where it is
  if (contains(groups_, j)) return times(outside_[inside], rows_[inside]);
  return times(outside_[inside], rows_[inside] - 1) + 1;
}

/// `first`: loops that may stand innermost.
void OrderFloor::fill(bool moves, DimSet first, const OrderFloor* outwards) {
  auto& least = least_[moves ? 1 : 0];
  const bool all_move = moves || (loops_ & seen_) != 0;
  least[loops_] = outwards != nullptr ? outwards->least(all_move) : rows_[loops_];
  for (DimSet set = loops_; set != 0;) {  // each after those around it
    set = (set - 1) & loops_;
    least[set] = std::numeric_limits<std::int64_t>::max();
    for (std::size_t j = 0; j < kDims; ++j) {
      if (!contains(set == 0 ? first : loops_ & ~set, j)) continue;
      least[set] = std::min(least[set], std::max(step(moves, set, j), least[set | 1U << j]));
    }
  }
}

std::int64_t rows_of_tensor(const Problem& p, std::size_t t) {
  const Factors& b = p.bounds;
  const std::int64_t elements = t != kInput ? p.elements(t, b)
                                            : b[N] * b[G] * b[C] *
                                                  different(p.stride_w, b[P], p.dilation_w, b[R]) *
                                                  different(p.stride_h, b[Q], p.dilation_h, b[S]);
  return parts(elements, parts(p.row_units, p.element_units[t]));
}

DramFloors::DramFloors(const Problem& p, const Factors& row_tile, std::size_t s,
                       const PerTensor<std::int64_t>& whole)
    : p_(p), row_tile_(row_tile), whole_(whole) {
  for (std::size_t t = 0; t < 3; ++t) {
    std::vector<LayoutKind> layouts = sequential_layouts(p, t);
    if (may_align(p, t, row_tile_)) layouts.push_back({&row_tile_});
    for (const LayoutKind& layout : layouts) {
      floors_[t].push_back(
          {layout, OrderFloor(p, t, layout, row_tile_, p.bounds, false, s, nullptr)});
    }
  }
}

PerTensor<std::int64_t> DramFloors::least() const {
  PerTensor<std::int64_t> rows;
  for (std::size_t t = 0; t < 3; ++t) {
    rows[t] = std::numeric_limits<std::int64_t>::max();
    for (const Floor& f : floors_[t]) rows[t] = std::min(rows[t], f.floor.least(false));
    rows[t] = std::max(rows[t], whole_[t]);
  }
  return rows;
}

PerTensor<std::int64_t> DramFloors::least(const Factors& inner, std::size_t s,
                                          const Flags& whole) const {
  PerTensor<std::int64_t> rows;
  for (std::size_t t = 0; t < 3; ++t) {
    rows[t] = std::numeric_limits<std::int64_t>::max();
    for (const auto& [layout, floor] : floors_[t]) {
      if (layout.row_tile == nullptr) {
        const OrderFloor within(p_, t, layout, inner, row_tile_, whole[t], s, &floor);
        rows[t] = std::min(rows[t], within.least(false));
      } else {  // within the tile there is but one row
        const bool moves = (loops_between(inner, row_tile_) & ~irrelevant_dims(t)) != 0;
        rows[t] = std::min(rows[t], floor.least(moves));
      }
    }
    rows[t] = std::max(rows[t], whole_[t]);
  }
  return rows;
}

}  // namespace pimbb_check
