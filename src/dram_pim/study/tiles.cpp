// Published tiles, and deeper ones.
#include "dram_pim/study/tiles.hpp"

#include <array>
#include <numeric>

#include "dram_pim/rows/micro_trace.hpp"

namespace pimbb::dram_pim::study {
namespace {

constexpr std::array<Tile, 4> kPublished{{{100, 1024, 1, 3, 3, 1},
                                          {224, 224, 1, 3, 3, 1},
                                          {224, 224, 1, 3, 3, 2},
                                          {224, 224, 1, 7, 7, 2}}};

TileRows measure(const Tile& tile, std::int64_t row) {
  const rows::AddressBox box{{{1, 0},
                              {1, 0},
                              {tile.channels, tile.height * tile.width},
                              {tile.tile_h, tile.width},
                              {tile.tile_w, 1}}};
  const rows::StepFunction rows = rows::rows_by_offset(box, row);
  const std::int64_t step = tile.stride * tile.width;
  const std::int64_t g = std::gcd(step, row);
  std::int64_t estimate = 0;
  for (std::int64_t offset = 0; offset < row; offset += g) estimate += rows.at(offset);
  const std::int64_t positions = (tile.height - tile.tile_h) / tile.stride + 1;
  std::int64_t walked = 0;
  for (std::int64_t i = 0; i < positions; ++i) walked += rows.at(i * step % row);
  return {tile, {estimate, row / g}, {walked, positions}};
}

}  // namespace

std::vector<TileRows> tile_rows(std::int64_t row) {
  std::vector<TileRows> result;
  for (const std::int64_t channels : {1, 2, 4, 8}) {
    for (Tile tile : kPublished) {
      tile.channels = channels;
      result.push_back(measure(tile, row));
    }
  }
  return result;
}

}  // namespace pimbb::dram_pim::study
