// Micro-traces over the offsets in a row, crossings over one period.
#include "rows.hpp"

#include <map>
#include <numeric>

namespace pimbb_check {
namespace {

/// Tiles along one axis that straddle a block edge, summed over the kernel offsets.
Count straddling(std::int64_t trips, std::int64_t step, std::int64_t taps, std::int64_t tap_step,
                 std::int64_t tile, std::int64_t block) {
  const std::int64_t period = block / std::gcd(step, block);
  const std::int64_t tap_period = block / std::gcd(tap_step, block);
  Count count = 0;
  for (std::int64_t g = 0; g < std::min(taps, tap_period); ++g) {
    Count at_tap = 0;
    for (std::int64_t i = 0; i < std::min(trips, period); ++i) {
      const Count position = product({i, step}) + product({g, tap_step});
      if (position % block + tile > block) at_tap += (trips - i + period - 1) / period;
    }
    count += at_tap * ((taps - g + tap_period - 1) / tap_period);
  }
  return count;
}

/// Cross along the height and along the width, over the whole sweep.
Count along_height(const Problem& p, const Factors& c, std::int64_t block) {
  const auto trips = [&](Dim j) { return p.bounds[j] / c[j]; };
  return product({straddling(trips(Q), p.stride_h * c[Q], trips(S), p.dilation_h * c[S],
                             p.height(c[Q], c[S]), block),
                  trips(C), trips(N), trips(G), trips(P), trips(R)});
}
Count along_width(const Problem& p, const Factors& c, std::int64_t block) {
  const auto trips = [&](Dim j) { return p.bounds[j] / c[j]; };
  return product({straddling(trips(P), p.stride_w * c[P], trips(R), p.dilation_w * c[R],
                             p.width(c[P], c[R]), block),
                  trips(C), trips(N), trips(G), trips(Q), trips(S)});
}

/// The least of a count over the orders that the input may have.
template <class Of>
Count over_orders(const Problem& p, const Of& of) {
  if (!p.free_input_order) return of(p.nhwc);
  return std::min<Count>(of(false), of(true));
}

/// Sets `cross` to the least over all blocks allowed, if there is one.
void choose_block(const Problem& p, const Factors& c, RowTile& tile) {
  if (!p.constraints.may_be(kInput, true)) return;
  std::map<std::int64_t, Count> high;
  std::map<std::int64_t, Count> wide;
  for (const auto& [h, w] : blocks(p, c)) {
    if (!high.contains(h)) high[h] = along_height(p, c, h);
    if (!wide.contains(w)) wide[w] = along_width(p, c, w);
    const Count cross = plus(high[h], wide[w]);
    if (!tile.may_align || cross < tile.cross) tile.cross = cross;
    tile.may_align = true;
  }
}

}  // namespace

RowTile row_tile(const Problem& p, std::size_t t, const Factors& c) {
  RowTile tile;
  tile.tiles = 1;
  for (std::size_t j = 0; j < kDims; ++j) {
    if (relevant(t, j)) tile.tiles *= p.bounds[j] / c[j];
  }
  const Count units = p.units(t, c);
  tile.divides = p.row_units % units == 0;
  if (t == kInput) {
    choose_block(p, c, tile);
  } else {
    tile.may_align = may_align(p, t, c);
  }
  return tile;
}

Count crossings(const Problem& p, const Factors& c, std::int64_t block_h, std::int64_t block_w) {
  return plus(along_height(p, c, block_h), along_width(p, c, block_w));
}

Count micro_traces(const Problem& p, const Factors& c, bool channels_last) {
  const Factors units = strides(p, kInput, channels_last);
  std::vector<std::int64_t> starts(static_cast<std::size_t>(p.row_units));  // tiles at each offset
  starts[0] = 1;
  for (std::size_t j = 0; j < kDims; ++j) {
    const std::int64_t trips = p.bounds[j] / c[j];
    if (trips == 1 || !relevant(kInput, j)) continue;
    const auto step = static_cast<std::int64_t>(times<Count>(units[j], c[j]) % p.row_units);
    starts = swept(starts, trips, step);
  }
  const std::vector<std::int64_t> rows =
      rows_by_offset(box(p, kInput, c, channels_last), p.row_units);
  Count sum = 0;
  for (std::size_t o = 0; o < starts.size(); ++o) sum = plus(sum, product({starts[o], rows[o]}));
  return sum;
}

Count fewest_micro_traces(const Problem& p, const Factors& c) {
  return over_orders(p, [&](bool channels_last) { return micro_traces(p, c, channels_last); });
}

Count least_micro_traces(const Problem& p, const Factors& c) {
  Count rows = over_orders(p, [&](bool channels_last) -> Count {
    return least_rows(box(p, kInput, c, channels_last), p.row_units);
  });
  for (std::size_t j = 0; j < kDims; ++j) {
    if (relevant(kInput, j)) rows = times<Count>(rows, p.bounds[j] / c[j]);
  }
  return rows;
}

Count activations(const Problem& p, std::size_t t, bool aligned, const RowTile& tile,
                  const Reuse& r) {
  if (p.free_rows) return 0;
  const Count row = p.row_units;
  const Count tensor = p.units(t, p.bounds);
  if (!aligned && tensor <= row) return row;
  const Count stream = std::max(row, tensor);
  const Count cross = t == kInput ? 2 * tile.cross : 0;
  if (!p.hybrid) {
    const Count repeats = product({r.inner3, r.inner2, r.outer2});
    if (!aligned) return product({stream, tile.divides ? 1 : repeats, r.outer3});
    return times(plus(times(tile.tiles, r.outer3), times(cross, repeats)), row);
  }
  const Count reuse = times(r.inner3, r.inner2);
  const Count outer = times(r.outer3, r.outer2);
  if (aligned) return times(plus(product({tile.tiles, reuse, outer}), times(cross, reuse)), row);
  if (t != kInput) return product({stream, reuse, tile.divides || reuse == 1 ? 1 : 2, outer});
  return product({plus(tile.tiles, times(tile.micro - tile.tiles, reuse)), r.outer3, row});
}

Count fewest_activations(const Problem& p, std::size_t t, const RowTile& tile, const Reuse& r) {
  if (!p.constraints.may_be(t, false)) return activations(p, t, true, tile, r);
  const Count sequential = activations(p, t, false, tile, r);
  return tile.may_align ? std::min(sequential, activations(p, t, true, tile, r)) : sequential;
}

}  // namespace pimbb_check
