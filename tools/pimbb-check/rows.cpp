// Micro-traces by difference arrays over the offsets in a row, crossings over one period.
#include "rows.hpp"

#include <algorithm>
#include <numeric>

namespace pimbb_check {
namespace {

struct Axis {
  std::int64_t count, stride;  // positions, bytes apart
};

/// The input tile in its dense tensor, outermost axis first.
std::array<Axis, 4> box(const Problem& p, const Factors& c) {
  const std::int64_t w = p.width(p.bounds[P], p.bounds[R]);
  const std::int64_t h = p.height(p.bounds[Q], p.bounds[S]);
  const std::int64_t e = p.element_bytes[kInput];
  const std::int64_t image = w * h * p.bounds[C] * e;
  const std::int64_t wide = p.width(c[P], c[R]);
  const std::int64_t high = p.height(c[Q], c[S]);
  if (p.nhwc) {
    return {{{c[N], image}, {high, w * p.bounds[C] * e}, {wide, p.bounds[C] * e}, {c[C], e}}};
  }
  return {{{c[N], image}, {c[C], w * h * e}, {high, w * e}, {wide, e}}};
}

/// rows(o) for every offset o: one, and one more for each pair of neighbouring elements x, x + d
/// with o + x and o + x + d in different rows, that is for o + x mod Row in [Row - d, Row).
std::vector<Int> rows_by_offset(const std::array<Axis, 4>& box, std::int64_t row) {
  Int positions = 1;
  for (const Axis& axis : box) positions = times(positions, axis.count);
  require(positions <= 1 << 26, "a row-buffer tile has too many elements");
  Int always = 1;
  std::vector<Int> step(static_cast<std::size_t>(row) + 1);
  std::int64_t previous = 0;
  for (std::int64_t a = 0; a < box[0].count; ++a) {
    for (std::int64_t b = 0; b < box[1].count; ++b) {
      for (std::int64_t c = 0; c < box[2].count; ++c) {
        std::int64_t x = a * box[0].stride + b * box[1].stride + c * box[2].stride;
        for (std::int64_t d = 0; d < box[3].count; ++d, x += box[3].stride) {
          const std::int64_t distance = x - previous;
          if (distance >= row) {
            ++always;
          } else if (distance > 0) {
            const std::int64_t begin = (2 * row - distance - previous % row) % row;
            const std::int64_t end = begin + distance;
            ++step[static_cast<std::size_t>(begin)];
            --step[static_cast<std::size_t>(std::min(end, row))];
            if (end > row) {
              ++step[0];
              --step[static_cast<std::size_t>(end - row)];
            }
          }
          previous = x;
        }
      }
    }
  }
  for (std::size_t o = 0; o + 1 < step.size(); ++o) {
    if (o > 0) step[o] += step[o - 1];
  }
  for (Int& rows : step) rows += always;
  return step;
}

/// Tiles along one axis that straddle a block edge, summed over the kernel offsets.
Int straddling(std::int64_t trips, std::int64_t step, std::int64_t taps, std::int64_t tap_step,
               std::int64_t tile, std::int64_t block) {
  const std::int64_t period = block / std::gcd(step, block);
  Int count = 0;
  for (std::int64_t g = 0; g < taps; ++g) {
    for (std::int64_t i = 0; i < std::min(trips, period); ++i) {
      const Int position = times(i, step) + times(g, tap_step);
      if (position % block + tile > block) count += (trips - i + period - 1) / period;
    }
  }
  return count;
}

std::vector<std::int64_t> divisors(std::int64_t n) {
  std::vector<std::int64_t> found;
  for (std::int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    found.push_back(d);
    if (d != n / d) found.push_back(n / d);
  }
  return found;
}

struct Sides {
  Int high, wide;  // Cross along the height, along the width
};

Sides scale_sides(const Problem& p, const Factors& c, Int high, Int wide) {
  const auto trips = [&](Dim j) { return p.bounds[j] / c[j]; };
  const Int planes = times(trips(C), trips(N));
  return {times(high, times(planes, times(trips(P), trips(R)))),
          times(wide, times(planes, times(trips(Q), trips(S))))};
}

Int along_height(const Problem& p, const Factors& c, std::int64_t block) {
  return straddling(p.bounds[Q] / c[Q], p.stride_h * c[Q], p.bounds[S] / c[S], p.dilation_h * c[S],
                    p.height(c[Q], c[S]), block);
}

Int along_width(const Problem& p, const Factors& c, std::int64_t block) {
  return straddling(p.bounds[P] / c[P], p.stride_w * c[P], p.bounds[R] / c[R], p.dilation_w * c[R],
                    p.width(c[P], c[R]), block);
}

/// Sets `cross` to the least over all blocks allowed, if there is one.
void choose_block(const Problem& p, const Factors& c, RowTile& tile) {
  const Int depth = times(times(c[C], c[N]), p.element_bytes[kInput]);
  const auto edges = [&](std::int64_t plane, std::int64_t least) {
    std::vector<std::int64_t> allowed = divisors(plane);
    std::erase_if(allowed, [&](std::int64_t edge) {
      return edge < least || times(edge, depth) > p.row_bytes;
    });
    return allowed;
  };
  const auto widths = edges(p.width(p.bounds[P], p.bounds[R]), p.width(c[P], c[R]));
  std::vector<Int> along;
  for (const std::int64_t w : widths) along.push_back(along_width(p, c, w));
  for (const std::int64_t h : edges(p.height(p.bounds[Q], p.bounds[S]), p.height(c[Q], c[S]))) {
    const Int high = along_height(p, c, h);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (times(times(h, widths[i]), depth) > p.row_bytes) continue;
      const Sides sides = scale_sides(p, c, high, along[i]);
      const Int cross = plus(sides.high, sides.wide);
      if (!tile.may_align || cross < tile.cross) tile.cross = cross;
      tile.may_align = true;
    }
  }
}

Int analytic(std::size_t t, bool aligned, Int stream, Int row, const RowTile& tile,
             const Reuse& r) {
  const Int repeats = times(times(r.inner3, r.inner2), r.outer2);
  if (!aligned) return times(times(stream, tile.divides ? 1 : repeats), r.outer3);
  const Int sweeps = times(tile.tiles, r.outer3);
  return times(t == kInput ? plus(sweeps, times(2 * tile.cross, repeats)) : sweeps, row);
}

Int hybrid(std::size_t t, bool aligned, Int stream, Int row, const RowTile& tile, const Reuse& r) {
  const Int reuse = times(r.inner3, r.inner2);
  const Int outer = times(r.outer3, r.outer2);
  if (aligned) {
    const Int all = times(times(tile.tiles, reuse), outer);
    return times(t == kInput ? plus(all, times(2 * tile.cross, reuse)) : all, row);
  }
  if (t == kInput) {
    return times(times(plus(tile.tiles, times(tile.micro - tile.tiles, reuse)), r.outer3), row);
  }
  return times(times(stream, reuse), times(tile.divides || reuse == 1 ? 1 : 2, outer));
}

}  // namespace

RowTile row_tile(const Problem& p, std::size_t t, const Factors& c) {
  RowTile tile;
  for (std::size_t j = 0; j < 7; ++j) {
    if (relevant(t, j)) tile.tiles = times(tile.tiles, p.bounds[j] / c[j]);
  }
  const Int bytes = p.bytes(t, c);
  tile.divides = p.row_bytes % bytes == 0;
  if (t == kInput) {
    choose_block(p, c, tile);
  } else {
    tile.may_align = bytes <= p.row_bytes;
  }
  return tile;
}

Int crossings(const Problem& p, const Factors& c, std::int64_t block_h, std::int64_t block_w) {
  const Sides sides = scale_sides(p, c, along_height(p, c, block_h), along_width(p, c, block_w));
  return plus(sides.high, sides.wide);
}

Int micro_traces(const Problem& p, const Factors& c) {
  const auto tile = box(p, c);
  const Int w = tile[p.nhwc ? 2 : 3].stride;
  const Int h = tile[p.nhwc ? 1 : 2].stride;
  const std::array<std::pair<Dim, Int>, 6> sweeps{{{N, tile[0].stride},
                                                   {C, tile[p.nhwc ? 3 : 1].stride},
                                                   {Q, h * p.stride_h},
                                                   {S, h * p.dilation_h},
                                                   {P, w * p.stride_w},
                                                   {R, w * p.dilation_w}}};
  const std::int64_t row = p.row_bytes;
  std::vector<Int> starts(static_cast<std::size_t>(row));  // tiles that start at each offset
  starts[0] = 1;
  for (const auto& [j, bytes] : sweeps) {
    const std::int64_t trips = p.bounds[j] / c[j];
    const auto step = static_cast<std::int64_t>(times(bytes, c[j]) % row);
    const std::int64_t period = row / std::gcd(step, row);
    std::vector<Int> next(starts.size());
    for (std::size_t o = 0; o < starts.size(); ++o) {
      if (starts[o] == 0) continue;
      std::int64_t at = static_cast<std::int64_t>(o);
      for (std::int64_t i = 0; i < std::min(trips, period); ++i, at = (at + step) % row) {
        next[static_cast<std::size_t>(at)] += starts[o] * ((trips - i + period - 1) / period);
      }
    }
    starts = std::move(next);
  }
  const std::vector<Int> rows = rows_by_offset(tile, row);
  Int sum = 0;
  for (std::size_t o = 0; o < starts.size(); ++o) sum = plus(sum, times(starts[o], rows[o]));
  return sum;
}

Int least_micro_traces(const Problem& p, const Factors& c) {
  const auto tile = box(p, c);
  Int rows = 1;
  Int outside = 1;
  Int inside = 0;  // bytes from the first to the last element of the axes further in
  for (const Axis& axis : tile) outside = times(outside, axis.count);
  for (std::size_t k = 4; k-- > 0;) {
    outside /= tile[k].count;
    if (tile[k].stride - inside >= p.row_bytes)
      rows = plus(rows, times(outside, tile[k].count - 1));
    inside = plus(inside, times(tile[k].count - 1, tile[k].stride));
  }
  for (std::size_t j = 0; j < 7; ++j) {
    if (relevant(kInput, j)) rows = times(rows, p.bounds[j] / c[j]);
  }
  return rows;
}

Int activations(const Problem& p, std::size_t t, bool aligned, const RowTile& tile,
                const Reuse& r) {
  const Int tensor = p.bytes(t, p.bounds);
  if (!aligned && tensor <= p.row_bytes) return p.row_bytes;
  const Int stream = std::max<Int>(p.row_bytes, tensor);
  return (p.hybrid ? hybrid : analytic)(t, aligned, stream, p.row_bytes, tile, r);
}

Int fewest_activations(const Problem& p, std::size_t t, const RowTile& tile, const Reuse& r) {
  const Int sequential = activations(p, t, false, tile, r);
  return tile.may_align ? std::min(sequential, activations(p, t, true, tile, r)) : sequential;
}

}  // namespace pimbb_check
