// Boxes, tiles and loop lists of a mapping.
#include "support/oracle_tiles.hpp"

#include <algorithm>

namespace oracle {

bool indexed_by(Tensor t, Dim j) {
  switch (t) {
    case Tensor::input: return j != Dim::K;
    case Tensor::weight: return !(j == Dim::P || j == Dim::Q || j == Dim::N);
    default: return !(j == Dim::R || j == Dim::S || j == Dim::C);
  }
}

Box tile_box(const Workload& w, Tensor t, const Factors& origin, const Factors& shape) {
  const auto o = [&](Dim j) { return origin[index(j)]; };
  const auto s = [&](Dim j) { return shape[index(j)]; };
  switch (t) {
    case Tensor::input:
      return {{o(Dim::N), o(Dim::G), o(Dim::C), w.stride_h * o(Dim::Q) + w.dilation_h * o(Dim::S),
               w.stride_w * o(Dim::P) + w.dilation_w * o(Dim::R)},
              {s(Dim::N), s(Dim::G), s(Dim::C),
               w.stride_h * (s(Dim::Q) - 1) + w.dilation_h * (s(Dim::S) - 1) + 1,
               w.stride_w * (s(Dim::P) - 1) + w.dilation_w * (s(Dim::R) - 1) + 1}};
    case Tensor::weight:
      return {{o(Dim::G), o(Dim::K), o(Dim::C), o(Dim::S), o(Dim::R)},
              {s(Dim::G), s(Dim::K), s(Dim::C), s(Dim::S), s(Dim::R)}};
    default:
      return {{o(Dim::N), o(Dim::G), o(Dim::K), o(Dim::Q), o(Dim::P)},
              {s(Dim::N), s(Dim::G), s(Dim::K), s(Dim::Q), s(Dim::P)}};
  }
}

std::int64_t tile_elements(const Workload& w, Tensor t, const Factors& shape) {
  return tile_box(w, t, Factors{}, shape).volume();
}

std::int64_t element_bits(const Architecture& a, Tensor t) {
  const std::int64_t bits = a.bits[index(t)];
  if (a.packing == pimbb::dram_pim::Packing::bit) return bits;
  return 8 * (bits / 8 + (bits % 8 != 0 ? 1 : 0));
}

std::int64_t buffer_bytes(const Architecture& a, Tensor t, std::int64_t elements) {
  const std::int64_t bits = elements * element_bits(a, t);
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

std::int64_t row_bits(const Architecture& a) {
  return 8 * *a.levels[a.levels.size() - 2].row_buffer_size;
}

Factors spatial_product(const Mapping& m) {
  Factors c{};
  for (std::size_t j = 0; j < kDims; ++j) {
    c[j] = m.spatial[0][j] * m.spatial[1][j] * m.spatial[2][j];
  }
  return c;
}

Factors cumulative(const Mapping& m, std::size_t level) {
  Factors c = spatial_product(m);
  for (std::size_t i = 0; i <= level; ++i) {
    for (const Loop& loop : m.levels[i].loops) c[index(loop.dim)] *= loop.factor;
  }
  return c;
}

std::vector<PlacedLoop> loops_from(const Mapping& m, std::size_t first) {
  Factors inside = first == 0 ? spatial_product(m) : cumulative(m, first - 1);
  std::vector<PlacedLoop> placed;
  placed.reserve(16);
  const auto place = [&](const std::vector<Loop>& loops) {
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      std::int64_t& step = inside[index(loop->dim)];
      placed.push_back({loop->dim, loop->factor, step});
      step *= loop->factor;
    }
  };
  if (first == 0) {
    std::vector<Loop> innermost = m.levels[0].loops;
    std::sort(innermost.begin(), innermost.end(), [](const Loop& x, const Loop& y) {
      return x.dim != y.dim && (x.dim == Dim::G || (y.dim != Dim::G && x.dim < y.dim));
    });
    place(innermost);
  }
  for (std::size_t level = std::max<std::size_t>(first, 1); level < m.levels.size(); ++level) {
    place(m.levels[level].loops);
  }
  return placed;
}

std::int64_t row_major(const Axes& at, const Axes& size) {
  std::int64_t position = 0;
  for (std::size_t i = 0; i < at.size(); ++i) position = position * size[i] + at[i];
  return position;
}

}  // namespace oracle
