// Micro-traces by difference arrays over the offsets in a row, crossings over one period.
#include "rows.hpp"

#include <algorithm>
#include <numeric>

namespace pimbb_check {
namespace {

Count product(std::initializer_list<Count> factors) {
  Count all = 1;
  for (const Count factor : factors) all = times(all, factor);
  return all;
}

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
std::vector<std::int64_t> rows_by_offset(const std::array<Axis, 4>& box, std::int64_t row) {
  require(product({box[0].count, box[1].count, box[2].count, box[3].count}) <= 1 << 26,
          "a row-buffer tile has too many elements");
  std::int64_t always = 1;
  std::vector<std::int64_t> rows(static_cast<std::size_t>(row) + 1);
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
            ++rows[static_cast<std::size_t>(begin)];
            --rows[static_cast<std::size_t>(std::min(end, row))];
            if (end > row) {
              ++rows[0];
              --rows[static_cast<std::size_t>(end - row)];
            }
          }
          previous = x;
        }
      }
    }
  }
  rows[0] += always;
  std::partial_sum(rows.begin(), rows.end(), rows.begin());
  return rows;
}

/// How often each offset is hit if every start moves on by `step` trips - 1 times, modulo the row:
/// whole rounds of its cycle, and a window of the last `part` starts on it.
std::vector<std::int64_t> swept(const std::vector<std::int64_t>& starts, std::int64_t trips,
                                std::int64_t step) {
  const std::size_t row = starts.size();
  const std::size_t cycles = std::gcd(static_cast<std::size_t>(step), row);
  std::vector<std::size_t> cycle(row / cycles);
  const std::int64_t rounds = trips / static_cast<std::int64_t>(cycle.size());
  const std::size_t part = static_cast<std::size_t>(trips) % cycle.size();
  std::vector<std::int64_t> hits(row);
  for (std::size_t first = 0; first < cycles; ++first) {
    std::int64_t all = 0;
    std::size_t at = first;
    for (std::size_t& offset : cycle) {
      offset = at;
      all += starts[at];
      at += static_cast<std::size_t>(step);
      if (at >= row) at -= row;
    }
    if (all == 0) continue;
    std::int64_t window = 0;
    std::size_t oldest = cycle.size() - part;
    for (std::size_t k = oldest; k < cycle.size(); ++k) window += starts[cycle[k]];
    for (const std::size_t offset : cycle) {
      if (part > 0) window += starts[offset] - starts[cycle[oldest % cycle.size()]];
      if (++oldest >= cycle.size()) oldest -= cycle.size();
      hits[offset] = rounds * all + window;
    }
  }
  return hits;
}

/// Tiles along one axis that straddle a block edge, summed over the kernel offsets.
Count straddling(std::int64_t trips, std::int64_t step, std::int64_t taps, std::int64_t tap_step,
                 std::int64_t tile, std::int64_t block) {
  const std::int64_t period = block / std::gcd(step, block);
  Count count = 0;
  for (std::int64_t g = 0; g < taps; ++g) {
    for (std::int64_t i = 0; i < std::min(trips, period); ++i) {
      const Count position = product({i, step}) + product({g, tap_step});
      if (position % block + tile > block) count += (trips - i + period - 1) / period;
    }
  }
  return count;
}

/// Divisors of a side of the input plane that a block may have, given the tile's.
std::vector<std::int64_t> edges(const Problem& p, std::int64_t side, std::int64_t least,
                                Count depth) {
  std::vector<std::int64_t> found;
  for (std::int64_t d = 1; d <= side / d; ++d) {
    if (side % d == 0) found.push_back(d);
    if (side % d == 0 && d != side / d) found.push_back(side / d);
  }
  std::erase_if(found, [&](std::int64_t edge) {
    return edge < least || product({edge, depth}) > p.row_bytes;
  });
  return found;
}

/// Cross along the height and along the width, over the whole sweep.
Count along_height(const Problem& p, const Factors& c, std::int64_t block) {
  const auto trips = [&](Dim j) { return p.bounds[j] / c[j]; };
  return product({straddling(trips(Q), p.stride_h * c[Q], trips(S), p.dilation_h * c[S],
                             p.height(c[Q], c[S]), block),
                  trips(C), trips(N), trips(P), trips(R)});
}
Count along_width(const Problem& p, const Factors& c, std::int64_t block) {
  const auto trips = [&](Dim j) { return p.bounds[j] / c[j]; };
  return product({straddling(trips(P), p.stride_w * c[P], trips(R), p.dilation_w * c[R],
                             p.width(c[P], c[R]), block),
                  trips(C), trips(N), trips(Q), trips(S)});
}

/// Sets `cross` to the least over all blocks allowed, if there is one.
void choose_block(const Problem& p, const Factors& c, RowTile& tile) {
  const Count depth = product({c[C], c[N], p.element_bytes[kInput]});
  const auto widths = edges(p, p.width(p.bounds[P], p.bounds[R]), p.width(c[P], c[R]), depth);
  std::vector<Count> wide;
  for (const std::int64_t w : widths) wide.push_back(along_width(p, c, w));
  for (const std::int64_t h :
       edges(p, p.height(p.bounds[Q], p.bounds[S]), p.height(c[Q], c[S]), depth)) {
    const Count high = along_height(p, c, h);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (product({h, widths[i], depth}) > p.row_bytes) continue;
      const Count cross = plus(high, wide[i]);
      if (!tile.may_align || cross < tile.cross) tile.cross = cross;
      tile.may_align = true;
    }
  }
}

/// Rows that a box touches wherever it starts. Axis by axis from the inside: copies a row apart
/// share no row, and where no gap is longer than a row, no row in between is left out.
Count least_rows(const Problem& p, const std::array<Axis, 4>& tile) {
  const Count row = p.row_bytes;
  Count rows = 1;
  Count inside = 0;  // bytes from the first to the last element of the axes further in
  bool gapless = true;
  for (std::size_t k = 4; k-- > 0;) {
    if (tile[k].count == 1) continue;
    gapless = gapless && tile[k].stride - inside <= row;
    const Count apart = (inside + row + tile[k].stride - 1) / tile[k].stride;
    rows = times<Count>(rows, (tile[k].count + apart - 1) / apart);
    inside = plus(inside, product({tile[k].count - 1, tile[k].stride}));
    if (gapless) rows = inside / row + 1;
  }
  return rows;
}

}  // namespace

RowTile row_tile(const Problem& p, std::size_t t, const Factors& c) {
  RowTile tile;
  tile.tiles = 1;
  for (std::size_t j = 0; j < 7; ++j) {
    if (relevant(t, j)) tile.tiles *= p.bounds[j] / c[j];
  }
  const Count bytes = p.bytes(t, c);
  tile.divides = p.row_bytes % bytes == 0;
  if (t == kInput) {
    choose_block(p, c, tile);
  } else {
    tile.may_align = bytes <= p.row_bytes;
  }
  return tile;
}

Count crossings(const Problem& p, const Factors& c, std::int64_t block_h, std::int64_t block_w) {
  return plus(along_height(p, c, block_h), along_width(p, c, block_w));
}

Count micro_traces(const Problem& p, const Factors& c) {
  const auto tile = box(p, c);
  const Count w = tile[p.nhwc ? 2 : 3].stride;
  const Count h = tile[p.nhwc ? 1 : 2].stride;
  const std::array<std::pair<Dim, Count>, 6> sweeps{{{N, tile[0].stride},
                                                     {C, tile[p.nhwc ? 3 : 1].stride},
                                                     {Q, h * p.stride_h},
                                                     {S, h * p.dilation_h},
                                                     {P, w * p.stride_w},
                                                     {R, w * p.dilation_w}}};
  std::vector<std::int64_t> starts(static_cast<std::size_t>(p.row_bytes));  // tiles at each offset
  starts[0] = 1;
  for (const auto& [j, bytes] : sweeps) {
    const std::int64_t trips = p.bounds[j] / c[j];
    if (trips == 1) continue;
    const auto step = static_cast<std::int64_t>(times<Count>(bytes, c[j]) % p.row_bytes);
    starts = swept(starts, trips, step);
  }
  const std::vector<std::int64_t> rows = rows_by_offset(tile, p.row_bytes);
  Count sum = 0;
  for (std::size_t o = 0; o < starts.size(); ++o) sum = plus(sum, product({starts[o], rows[o]}));
  return sum;
}

Count least_micro_traces(const Problem& p, const Factors& c) {
  Count rows = least_rows(p, box(p, c));
  for (std::size_t j = 0; j < 7; ++j) {
    if (relevant(kInput, j)) rows = times<Count>(rows, p.bounds[j] / c[j]);
  }
  return rows;
}

Count activations(const Problem& p, std::size_t t, bool aligned, const RowTile& tile,
                  const Reuse& r) {
  const Count row = p.row_bytes;
  const Count tensor = p.bytes(t, p.bounds);
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
  const Count sequential = activations(p, t, false, tile, r);
  return tile.may_align ? std::min(sequential, activations(p, t, true, tile, r)) : sequential;
}

}  // namespace pimbb_check
