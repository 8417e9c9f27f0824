// pimbb rowmodel --tile: the tables behind the row models for one tile.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dram_pim/study/tiles.hpp"
#include "terminal/option_row.hpp"
#include "terminal/section.hpp"

namespace pimbb::dram_pim::cli {

struct TileSettings {
  std::vector<std::int64_t> tile;   ///< channels, height, width; empty: the study of a network
  std::vector<std::int64_t> plane;  ///< height, width
  std::optional<std::int64_t> stride;
  std::optional<std::int64_t> row;  ///< bytes
};

/// --tile, --plane, --stride, --row.
OptionRows tile_rows(TileSettings& settings);
/// Throws InputError if the tile does not fit its plane, or other options are given without it.
std::optional<study::Tile> tile_of(const TileSettings& settings);

/// Rows of single tiles by the estimate and by a walk.
Section tiles(const std::vector<study::TileRows>& tiles, std::int64_t row);
/// The tile's rows, its micro-trace, its crossings.
std::vector<Section> tile_sections(const study::Tile& tile, std::int64_t row);

}  // namespace pimbb::dram_pim::cli
