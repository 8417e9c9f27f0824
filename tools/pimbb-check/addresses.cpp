// Boxes, their rows by difference arrays over the offsets in a row, and divisors of the plane.
#include "addresses.hpp"

#include <algorithm>
#include <numeric>

namespace pimbb_check {
namespace {

/// Axes that continue each other as one: the innermost is a run as long as can be.
std::vector<Axis> merged(const Box& box) {
  std::vector<Axis> axes;
  for (const Axis& axis : box) {
    if (axis.count == 1) continue;
    const bool continues = !axes.empty() && axes.back().stride == axis.count * axis.stride;
    const std::int64_t copies = continues ? axes.back().count : 1;
    if (continues) axes.pop_back();
    axes.push_back({copies * axis.count, axis.stride});
  }
  return axes;
}

/// Units from one to the next pixel, line, channel, group and image of the input.
std::array<std::int64_t, 5> input_steps(const Problem& p, bool channels_last) {
  const std::int64_t w = p.width(p.bounds[P], p.bounds[R]);
  const std::int64_t plane = w * p.height(p.bounds[Q], p.bounds[S]);
  const std::int64_t one = p.element_units[kInput];
  const std::int64_t pixel = channels_last ? one * p.bounds[C] * p.bounds[G] : one;
  const std::int64_t channel = channels_last ? one : one * plane;
  const std::int64_t group = channel * p.bounds[C];
  return {pixel, pixel * w, channel, group, one * plane * p.bounds[C] * p.bounds[G]};
}

}  // namespace

Count product(std::initializer_list<Count> factors) {
  Count all = 1;
  for (const Count factor : factors) all = times(all, factor);
  return all;
}

Factors strides(const Problem& p, std::size_t t, bool channels_last) {
  Factors by{};
  if (t != kInput) {
    std::int64_t units = p.element_units[t];
    const auto inwards = t == kWeight ? std::array{G, K, C, S, R} : std::array{N, G, K, Q, P};
    for (std::size_t k = 5; k-- > 0; units *= p.bounds[inwards[k]]) by[inwards[k]] = units;
    return by;
  }
  const auto [pixel, line, channel, group, image] = input_steps(p, channels_last);
  // A dimension without loops moves nothing, whatever its stride.
  const auto step = [&](Dim j, std::int64_t unit, std::int64_t stride) {
    if (p.bounds[j] > 1) by[j] = times(unit, stride);
  };
  step(P, pixel, p.stride_w);
  step(R, pixel, p.dilation_w);
  step(Q, line, p.stride_h);
  step(S, line, p.dilation_h);
  step(C, channel, 1);
  step(G, group, 1);
  step(N, image, 1);
  return by;
}

Box box(const Problem& p, std::size_t t, const Factors& c, bool channels_last) {
  if (t != kInput) {
    const Factors by = strides(p, t, channels_last);
    const auto axis = [&](Dim j) { return Axis{c[j], by[j]}; };
    if (t == kWeight) return {axis(G), axis(K), axis(C), axis(S), axis(R)};
    return {axis(N), axis(G), axis(K), axis(Q), axis(P)};
  }
  const auto [pixel, line, channel, group, image] = input_steps(p, channels_last);
  const Axis high{p.height(c[Q], c[S]), line};
  const Axis wide{p.width(c[P], c[R]), pixel};
  const Axis groups{c[G], group};
  const Axis channels{c[C], channel};
  if (channels_last) return {Axis{c[N], image}, high, wide, groups, channels};
  return {Axis{c[N], image}, groups, channels, high, wide};
}

std::int64_t span(const Box& box) {
  std::int64_t units = 0;
  for (const Axis& axis : box) units += (axis.count - 1) * axis.stride;
  return units;
}

// One, and one more for each pair of neighbouring elements x, x + d with o + x and o + x + d in
// different rows, that is for o + x mod Row in [Row - d, Row). Elements no further apart than a row
// change it as often as their ends are rows apart.
std::vector<std::int64_t> rows_by_offset(const Box& box, std::int64_t row) {
  std::vector<Axis> axes = merged(box);
  std::int64_t run = 0;  // units from its first element to its last
  if (!axes.empty() && axes.back().stride <= row) {
    run = (axes.back().count - 1) * axes.back().stride;
    axes.pop_back();
  }
  Count runs = 1;
  for (const Axis& axis : axes) runs = times<Count>(runs, axis.count);
  require(runs <= 1 << 26, "a tile has too many runs");
  std::int64_t always = 1;
  std::vector<std::int64_t> rows(static_cast<std::size_t>(row) + 1);
  const auto change = [&](std::int64_t x, std::int64_t distance) {  // at most a row
    if (distance == 0) return;
    const std::int64_t begin = (2 * row - distance - x % row) % row;
    const std::int64_t end = begin + distance;
    ++rows[static_cast<std::size_t>(begin)];
    --rows[static_cast<std::size_t>(std::min(end, row))];
    if (end <= row) return;
    ++rows[0];
    --rows[static_cast<std::size_t>(end - row)];
  };
  std::int64_t previous = -1;
  const auto walk = [&](const auto& self, std::size_t k, std::int64_t x) -> void {
    if (k < axes.size()) {
      for (std::int64_t i = 0; i < axes[k].count; ++i) self(self, k + 1, x + i * axes[k].stride);
      return;
    }
    if (previous >= 0) change(previous, std::min(row, x - previous));
    always += run / row;
    change(x, run % row);
    previous = x + run;
  };
  walk(walk, 0, 0);
  rows[0] += always;
  std::partial_sum(rows.begin(), rows.end(), rows.begin());
  return rows;
}

// Axis by axis from the inside: copies a row apart share no row, and where no gap is longer than a
// row, no row in between is left out.
std::int64_t least_rows(const Box& box, std::int64_t row) {
  std::int64_t rows = 1;
  std::int64_t inside = 0;  // units from the first to the last element of the axes further in
  bool gapless = true;
  for (std::size_t k = box.size(); k-- > 0;) {
    if (box[k].count == 1) continue;
    gapless = gapless && box[k].stride - inside <= row;
    const std::int64_t apart = (inside + row + box[k].stride - 1) / box[k].stride;
    rows = times(rows, (box[k].count + apart - 1) / apart);
    inside = plus(inside, times(box[k].count - 1, box[k].stride));
    if (gapless) rows = inside / row + 1;
  }
  return rows;
}

// Whole rounds of an offset's cycle, and a window of the last `part` starts on it.
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
    if (part == 0) {
      for (const std::size_t offset : cycle) hits[offset] = rounds * all;
      continue;
    }
    std::int64_t window = 0;
    std::size_t oldest = cycle.size() - part;
    for (std::size_t k = oldest; k < cycle.size(); ++k) window += starts[cycle[k]];
    for (const std::size_t offset : cycle) {
      window += starts[offset] - starts[cycle[oldest]];
      if (++oldest == cycle.size()) oldest = 0;
      hits[offset] = rounds * all + window;
    }
  }
  return hits;
}

std::vector<Block> blocks(const Problem& p, const Factors& c) {
  const Count depth = product({c[C], c[N], c[G], p.element_units[kInput]});
  std::vector<Block> found;
  for (const std::int64_t h : p.plane_heights) {
    if (h < p.height(c[Q], c[S])) continue;
    for (const std::int64_t w : p.plane_widths) {
      if (w >= p.width(c[P], c[R]) && product({h, w, depth}) <= p.row_units &&
          p.constraints.block[0].admits(h) && p.constraints.block[1].admits(w)) {
        found.push_back({h, w});
      }
    }
  }
  return found;
}

bool may_align(const Problem& p, std::size_t t, const Factors& c) {
  if (!p.constraints.may_be(t, true)) return false;
  return t == kInput ? !blocks(p, c).empty() : p.units(t, c) <= p.row_units;
}

bool has_layouts(const Problem& p, const Factors& c) {
  for (std::size_t t = 0; t < 3; ++t) {
    if (!p.constraints.may_be(t, false) && !may_align(p, t, c)) return false;
  }
  return true;
}

}  // namespace pimbb_check
