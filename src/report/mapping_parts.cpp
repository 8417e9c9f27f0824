// A mapping onto DRAM-PIM: its nest, where cycles and energy go, the array, the rows of its tiles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/facts.hpp"
#include "report/sections.hpp"

namespace pimbb::report {
namespace {

constexpr std::array<const char*, 3> kTensorNames{"input", "weight", "output"};

Json tiles_of(const Value& document, const std::string& level) {
  Json tiles = Json::array();
  const Value all = document.at("metrics").at("tiles");
  if (!all.has(level)) return tiles;
  for (const auto& [tensor, tile] : all.at(level).members()) {
    tiles.push_back({{"tensor", tensor},
                     {"elements", tile.at("elements").json()},
                     {"bytes", tile.at("bytes").json()}});
  }
  return tiles;
}

Json loops_of(const Value& level) {
  Json loops = Json::array();
  for (const Value& loop : level.at("loops").elements()) {
    loops.push_back({{"dim", loop.at(0).json()}, {"factor", loop.at(1).json()}});
  }
  return loops;
}

/// The tensors that loops of this level leave in place.
Json stays_of(const Value& document, const std::string& level) {
  Json stays = Json::array();
  if (!document.has("dataflow")) return stays;
  for (const Value& stationary : document.at("dataflow").at("stationary").elements()) {
    if (stationary.at("level").text() != level) continue;
    stays.push_back({{"tensor", stationary.at("tensor").json()},
                     {"iterations", stationary.at("iterations").json()}});
  }
  return stays;
}

/// The box of the array, between the PEs' own level and the ones outside.
Json array_box(const Value& spatial) {
  Json loops = Json::array();
  for (const auto& [direction, factors] : spatial.members()) {
    for (const auto& [dim, factor] : factors.members()) {
      loops.push_back({{"dim", dim}, {"factor", factor.json()}, {"over", direction}});
    }
  }
  return {{"name", "PE array"}, {"array", true}, {"loops", std::move(loops)}};
}

Part nest_of(const Value& document) {
  const Value mapping = document.at("mapping");
  const std::vector<Value> levels = mapping.at("temporal").elements();
  Json boxes = Json::array();
  for (std::size_t i = levels.size(); i-- > 0;) {
    const std::string name = levels[i].at("level").text();
    if (i == 0) boxes.push_back(array_box(mapping.at("spatial")));
    boxes.push_back({{"name", name},
                     {"tiles", tiles_of(document, name)},
                     {"loops", loops_of(levels[i])},
                     {"stays", stays_of(document, name)}});
  }
  Part nest{.kind = "nest", .title = "Loop nest"};
  nest.note = "Outermost level first: what each level holds of a tensor, and its loops.";
  nest.more["levels"] = std::move(boxes);
  return nest;
}

/// Bands of the array that have the same index of an unrolled dimension.
Part array_of(const Value& document, const Value& architecture) {
  Part array = blocks("PE array", "PEs along the direction", "");
  const Value machine = architecture.at("pe_array");
  const std::array<std::pair<const char*, const char*>, 2> directions{
      {{"H", "dim_h"}, {"W", "dim_w"}}};
  for (const auto& [direction, size_key] : directions) {
    const Value factors = document.at("mapping").at("spatial").at(direction);
    const std::int64_t size = machine.at(size_key).integer(1, kMostUnits);
    const std::int64_t used = unrolled(factors, size);
    const std::string panel = fmt::format("{}: {} of {} PEs used", direction, used, size);
    add_bands(array, panel, factors, used);
    if (used < size) array.rows.push_back({panel, "idle", used, size, "idle", "idle"});
    if (used == 1) array.rows.push_back({panel, "one PE", 0, 1, "0", "no loop unrolled"});
  }
  array.note = "For each direction and unrolled dimension: which index a PE works on.";
  array.more["legend"] = false;
  array.more["labels"] = true;
  array.more["step"] = 20;
  return array;
}

/// Bytes of the DRAM rows that the first tile in the row buffer touches, by layout.
Part rows_of(const Value& document) {
  Part rows = blocks("DRAM rows of one row-buffer tile", "byte of the row", "row");
  const Value metrics = document.at("metrics");
  if (!metrics.has("tile_rows")) return rows;
  for (const auto& [layout, tensors] : metrics.at("tile_rows").members()) {
    for (const auto& [tensor, tile] : tensors.members()) {
      const std::string chosen =
          document.at("mapping").at("layout").text_or(tensor, "") == layout ? " (chosen)" : "";
      const std::string panel =
          fmt::format("{}, {}{}: {:.0f} rows", tensor, layout, chosen, tile.at("rows").number());
      for (const Value& run : tile.at("spans").elements()) {
        const double from = run.at(1).number();
        rows.rows.push_back({panel, fmt::format("{:.0f}", run.at(0).number()), from,
                             from + run.at(2).number(), tensor, tensor});
      }
    }
  }
  rows.note = "The tile at the start of the layer; at most 16 rows of a tensor are drawn.";
  return rows;
}

double bytes_per_element(const Value& architecture, const std::string& tensor) {
  const double bits = architecture.at("bits").at(tensor).number();
  return architecture.text_or("packing", "byte") == "bit" ? bits / 8 : std::ceil(bits / 8);
}

}  // namespace

std::vector<Part> dram_mapping_parts(const Value& document, const Value& architecture) {
  const Value metrics = document.at("metrics");
  std::vector<Part> parts;
  add_part(parts, nest_of(document));
  Part cycles = bars("Where the cycles go", "cycles");
  add_nested(cycles, metrics.at("cycles_by_level"), "busy");
  cycles.kind = "grouped";
  cycles.note = "All parts work at the same time: the longest bar is the latency.";
  add_part(parts, std::move(cycles));
  Part energy = bars("Where the energy goes", "nJ");
  add_nested(energy, metrics.at("energy_by_level"), "MACs");
  add_part(parts, std::move(energy));
  Part reads = bars("Elements moved", "elements");
  add_nested(reads, metrics.at("reads"), "all");
  add_part(parts, std::move(reads));
  add_part(parts, array_of(document, architecture));
  add_part(parts, rows_of(document));
  return parts;
}

RooflinePoint roofline_point(const std::string& label, const Value& document,
                             const Value& architecture) {
  RooflinePoint point{label, macs_of(document.at("workload")), 0,
                      document.at("metrics").at("latency").number()};
  const std::string dram = architecture.at("memory_hierarchy").elements().back().at("name").text();
  for (const auto& [tensor, reads] : document.at("metrics").at("reads").at(dram).members()) {
    point.bytes += reads.number() * bytes_per_element(architecture, tensor);
  }
  return point;
}

Part roofline(const std::vector<RooflinePoint>& points, const Value& architecture) {
  Part part{.kind = "roofline", .title = "Roofline"};
  part.columns = {"label", "x", "y", "series"};
  part.more["x"] = "MACs per byte of DRAM";
  part.more["y"] = "MACs per cycle";
  for (const RooflinePoint& point : points) {
    if (point.bytes <= 0 || point.cycles <= 0) continue;
    part.rows.push_back(
        {point.label, point.macs / point.bytes, point.macs / point.cycles, "layer"});
  }
  const Value array = architecture.at("pe_array");
  const double peak =
      array.at("dim_h").number() * array.at("dim_w").number() * array.at("num_macs").number();
  part.more["peak"] = peak;
  Json roofs{{{"name", fmt::format("{:.0f} MACs per cycle", peak)}}};
  const std::vector<Value> levels = architecture.at("memory_hierarchy").elements();
  const Value& buffer = levels[levels.size() - 2];
  const bool shared = architecture.text_or("dram_streams", "separate") == "shared";
  const auto bandwidth = [&buffer]() -> double {
    if (buffer.has("read_bandwidth")) return buffer.at("read_bandwidth").number();
    if (!buffer.has("blocksize") || !buffer.has("latency")) return 0;
    return buffer.at("blocksize").number() / buffer.at("latency").number();
  }();
  const double ports = buffer.has("num_read_ports") ? buffer.at("num_read_ports").number() : 1;
  const double streams = shared ? 1 : static_cast<double>(kTensorNames.size());
  const double slope = bandwidth * ports * streams;
  if (slope > 0) {
    roofs.push_back(
        {{"name", fmt::format("{:g} bytes per cycle of DRAM", slope)}, {"slope", slope}});
  }
  part.more["roofs"] = std::move(roofs);
  part.note =
      shared ? "All tensors share one stream of the DRAM."
             : "Each of the three tensors has a stream of its own between DRAM and row buffer.";
  return part;
}

Section dram_mapping_section(const Value& document) {
  Section section;
  const std::string layer = document.text_or("layer", "layer");
  if (!document.has("mapping") || !document.has("metrics")) return plain_section(document);
  const Value architecture = document.at("architecture");
  section.title = fmt::format("{} on {}", layer, architecture.at("name").text());
  section.note = document.text_or("command", "");
  section.facts.push_back({"layer", shape_of(document.at("workload"))});
  section.facts.push_back({"MACs", macs_of(document.at("workload"))});
  if (document.has("status")) section.facts.push_back(status_fact(document.at("status").text()));
  if (document.has("objective")) add_objective(section.facts, document.at("objective"));
  const Value metrics = document.at("metrics");
  section.facts.push_back({"latency", metrics.at("latency").json(), "cycles",
                           metrics.at("exact").at("latency").text()});
  section.facts.push_back(
      {"energy", metrics.at("energy").json(), "nJ", metrics.at("exact").at("energy").text()});
  section.facts.push_back({"PE utilization", metrics.at("pe_utilization").number() * 100, "%"});
  if (document.has("dataflow")) {
    section.facts.push_back({"dataflow", document.at("dataflow").at("summary").json()});
  }
  section.parts = dram_mapping_parts(document, architecture);
  add_part(section.parts, roofline({roofline_point(layer, document, architecture)}, architecture));
  return section;
}

}  // namespace pimbb::report
