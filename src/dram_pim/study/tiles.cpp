// Published tiles, and deeper ones.
#include "dram_pim/study/tiles.hpp"

#include <array>
#include <numeric>

#include "dram_pim/rows/crossings.hpp"
#include "dram_pim/rows/micro_trace.hpp"
#include "exact/factors.hpp"

namespace pimbb::dram_pim::study {
namespace {

constexpr std::array<Tile, 4> kPublished{{{100, 1024, 1, 3, 3, 1},
                                          {224, 224, 1, 3, 3, 1},
                                          {224, 224, 1, 3, 3, 2},
                                          {224, 224, 1, 7, 7, 2}}};

rows::StepFunction rows_by_offset(const Tile& tile, std::int64_t row) {
  const rows::AddressBox box{{{1, 0},
                              {1, 0},
                              {tile.channels, tile.height * tile.width},
                              {tile.tile_h, tile.width},
                              {tile.tile_w, 1}}};
  return rows::rows_by_offset(box, row);
}

/// The step between two vertical positions, in bytes.
std::int64_t step_of(const Tile& tile) { return tile.stride * tile.width; }

}  // namespace

TileRows rows_of(const Tile& tile, std::int64_t row) {
  const rows::StepFunction rows = rows_by_offset(tile, row);
  const std::int64_t step = step_of(tile);
  const std::int64_t g = std::gcd(step, row);
  std::int64_t estimate = 0;
  for (std::int64_t offset = 0; offset < row; offset += g) estimate += rows.at(offset);
  const std::int64_t positions = (tile.height - tile.tile_h) / tile.stride + 1;
  std::int64_t walked = 0;
  for (std::int64_t i = 0; i < positions; ++i) walked += rows.at(i * step % row);
  return {tile, {estimate, row / g}, {walked, positions}};
}

std::vector<TileRows> tile_rows(std::int64_t row) {
  std::vector<TileRows> result;
  for (const std::int64_t channels : {1, 2, 4, 8}) {
    for (Tile tile : kPublished) {
      tile.channels = channels;
      result.push_back(rows_of(tile, row));
    }
  }
  return result;
}

std::vector<MicroTrace> micro_traces(const Tile& tile, std::int64_t row) {
  const std::int64_t g = std::gcd(step_of(tile), row);
  const auto reached_below = [&](std::int64_t end) { return (end + g - 1) / g; };
  std::vector<MicroTrace> traces;
  const auto pieces = rows_by_offset(tile, row).pieces;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const std::int64_t end = k + 1 < pieces.size() ? pieces[k + 1].from : row;
    traces.push_back({pieces[k].from, end - 1, pieces[k].value,
                      reached_below(end) - reached_below(pieces[k].from)});
  }
  return traces;
}

std::vector<BlockCrossings> block_crossings(const Tile& tile, std::int64_t row) {
  const std::int64_t down = (tile.height - tile.tile_h) / tile.stride + 1;
  const std::int64_t across = (tile.width - tile.tile_w) / tile.stride + 1;
  std::vector<BlockCrossings> all;
  for (const std::int64_t h : divisors_of(tile.height)) {
    if (h < tile.tile_h) continue;
    for (const std::int64_t w : divisors_of(tile.width)) {
      if (w < tile.tile_w) continue;
      if (static_cast<Int128>(h) * w * tile.channels > row) break;
      all.push_back({h, w, rows::count_crossings(down, tile.stride, 0, tile.tile_h, h) * across,
                     rows::count_crossings(across, tile.stride, 0, tile.tile_w, w) * down,
                     down * across});
    }
  }
  return all;
}

}  // namespace pimbb::dram_pim::study
