// Options and tables of one tile.
#include "dram_pim/cli/rowmodel_tile.hpp"

#include <fmt/format.h>

#include <sstream>

#include "pimbb/error.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::dram_pim::cli {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 24;

/// "1x3x3": sizes, each from 1 up.
std::vector<std::int64_t> sizes(std::string_view option, const std::string& text, std::size_t count,
                                std::string_view allowed) {
  std::vector<std::int64_t> found;
  std::istringstream parts(text + 'x');
  for (std::string part; std::getline(parts, part, 'x');) {
    found.push_back(terminal::integer<std::int64_t>(option, part, 1, kMostBytes));
  }
  if (found.size() != count) terminal::refuse(option, text, allowed);
  return found;
}

Section micro_trace(const study::Tile& tile, std::int64_t row) {
  Section section{"Micro-trace: rows that the tile opens, by its start address in a row",
                  {{"from"}, {"to"}, {"rows"}, {"reached offsets"}},
                  {}};
  for (const study::MicroTrace& piece : study::micro_traces(tile, row)) {
    section.rows.push_back(
        {number(piece.from), number(piece.to), number(piece.rows), number(piece.reached)});
  }
  return section;
}

Section crossings(const study::Tile& tile, std::int64_t row) {
  Section section{
      "Crossings: positions at which the tile straddles an edge between blocks that fit a row",
      {{"block h x w"}, {"along height"}, {"along width"}, {"together"}, {"of positions"}},
      {}};
  for (const study::BlockCrossings& c : study::block_crossings(tile, row)) {
    section.rows.push_back({fmt::format("{} x {}", c.block_h, c.block_w), number(c.along_h),
                            number(c.along_w), number(c.along_h + c.along_w), number(c.positions)});
  }
  return section;
}

}  // namespace

OptionRows tile_rows(TileSettings& s) {
  return {
      {"--tile", "CxHxW", groups::kProblem, "",
       "Instead of a network: one tile of so many channels, rows and columns, with its "
       "micro-trace and its crossings",
       [&](auto option, auto& text) { s.tile = sizes(option, text, 3, "CxHxW, such as 1x3x3"); }},
      {"--plane", "HxW", groups::kProblem, "", "Size of the plane that the tile moves in",
       [&](auto option, auto& text) { s.plane = sizes(option, text, 2, "HxW, such as 224x224"); }},
      {"--stride", "N", groups::kProblem, "1", "Step between two positions of the tile",
       [&](auto option, auto& text) {
         s.stride = terminal::integer<std::int64_t>(option, text, 1, kMostBytes);
       }},
      {"--row", "BYTES", groups::kProblem, "",
       "Bytes of a row for --tile; those of the accelerator unless given",
       [&](auto option, auto& text) {
         s.row = terminal::integer<std::int64_t>(option, text, 1, kMostBytes);
       }}};
}

std::optional<study::Tile> tile_of(const TileSettings& s) {
  if (s.tile.empty()) {
    const char* other = !s.plane.empty() ? "--plane" : s.stride ? "--stride" : "--row";
    if (!s.plane.empty() || s.stride || s.row) {
      throw InputError(fmt::format("{}: describes the tile of --tile, which is not given", other));
    }
    return std::nullopt;
  }
  if (s.plane.empty()) {
    throw InputError("--plane: found none; --tile needs it, for example --plane 224x224");
  }
  if (s.tile[1] > s.plane[0] || s.tile[2] > s.plane[1]) {
    throw InputError(
        fmt::format("--tile: found {} x {}, allowed are tiles within the plane of {} x {}",
                    s.tile[1], s.tile[2], s.plane[0], s.plane[1]));
  }
  return study::Tile{s.plane[0], s.plane[1], s.tile[0], s.tile[1], s.tile[2], s.stride.value_or(1)};
}

Section tiles(const std::vector<study::TileRows>& tiles, std::int64_t row) {
  Section section{fmt::format("Rows of a single tile, in rows of {} bytes", number(row)),
                  {{"plane"}, {"tile c x h x w"}, {"stride"}, {"estimate"}, {"walked"}, {"error"}},
                  {}};
  for (const study::TileRows& rows : tiles) {
    const double estimate = rows.estimate.to_double();
    const double walked = rows.walked.to_double();
    section.rows.push_back(
        {fmt::format("{} x {}", rows.tile.height, rows.tile.width),
         fmt::format("{} x {} x {}", rows.tile.channels, rows.tile.tile_h, rows.tile.tile_w),
         number(rows.tile.stride), fmt::format("{:.4f}", estimate), fmt::format("{:.4f}", walked),
         fmt::format("{:.2f} %", 100 * (estimate / walked - 1))});
  }
  return section;
}

std::vector<Section> tile_sections(const study::Tile& tile, std::int64_t row) {
  return {tiles({study::rows_of(tile, row)}, row), micro_trace(tile, row), crossings(tile, row)};
}

}  // namespace pimbb::dram_pim::cli
