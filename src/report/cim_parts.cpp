// A mapping onto SRAM compute-in-memory: its nest, energy, busy memories, transfers over time.
#include <fmt/format.h>

#include <array>
#include <map>

#include "report/facts.hpp"
#include "report/sections.hpp"

namespace pimbb::report {
namespace {

constexpr std::array<const char*, 3> kOperands{"input", "weight", "output"};
constexpr std::size_t kMostEvents = 600;  // what a page draws of a trace

/// One box for each loop, outermost first, with the levels that hold the operands below it.
Part cim_nest(const Value& document) {
  const Value mapping = document.at("mapping");
  Json boxes = Json::array();
  for (const Value& loop : mapping.at("loops").elements()) {
    std::string name;
    for (std::size_t i = 0; i < kOperands.size(); ++i) {
      if (loop.json().size() <= i + 2 || !loop.at(i + 2).json().is_string()) continue;
      name +=
          fmt::format("{}{} in {}", name.empty() ? "" : ", ", kOperands[i], loop.at(i + 2).text());
    }
    boxes.push_back(
        {{"name", name}, {"loops", {{{"dim", loop.at(0).json()}, {"factor", loop.at(1).json()}}}}});
  }
  Json spatial = Json::array();
  for (const auto& [axis, factors] : mapping.at("spatial").members()) {
    for (const auto& [dim, factor] : factors.members()) {
      spatial.push_back({{"dim", dim}, {"factor", factor.json()}, {"over", axis}});
    }
  }
  boxes.push_back({{"name", "macros"}, {"array", true}, {"loops", std::move(spatial)}});
  Part nest{.kind = "nest", .title = "Loop nest"};
  nest.note = "Outermost loop first, with the memory that holds each operand's tile for it.";
  nest.more["levels"] = std::move(boxes);
  return nest;
}

Part transfers_of(const Value& metrics) {
  Part part = table("Transfers", {"operand", "from", "to", "loop", "tile, elements", "bits",
                                  "times", "cycles each", "hidden"});
  if (!metrics.has("transfers")) return part;
  for (const Value& t : metrics.at("transfers").elements()) {
    const Json loop = t.has("loop") ? t.at("loop").json() : Json();
    part.rows.push_back({t.at("operand").json(), t.at("from").json(), t.at("to").json(), loop,
                         t.at("tile").json(), t.at("bits").json(), t.at("fires").json(),
                         t.at("cycles").json(),
                         t.at("hidden").json() == Json(true) ? "yes" : "no"});
  }
  return part;
}

/// How much of each spatial axis works.
Part cim_array(const Value& document, const Value& architecture) {
  Part part = blocks("Macros: what the spatial axes work on", "places along the axis", "");
  for (const Value& axis : architecture.at("spatial_axes").elements()) {
    const std::string name = axis.at("name").text();
    const std::int64_t size = axis.at("size").integer(1, kMostUnits);
    const Value spatial = document.at("mapping").at("spatial");
    const bool unrolls = spatial.has(name);
    const std::int64_t used = unrolls ? unrolled(spatial.at(name), size) : 1;
    const std::string panel = fmt::format("{}: {} of {} used", name, used, size);
    if (unrolls) add_bands(part, panel, spatial.at(name), used);
    if (used < size) part.rows.push_back({panel, "idle", used, size, "idle", "idle"});
  }
  part.more["legend"] = false;
  part.more["labels"] = true;
  part.more["step"] = 20;
  return part;
}

}  // namespace

std::vector<Part> cim_mapping_parts(const Value& document, const Value& architecture) {
  const Value metrics = document.at("metrics");
  std::vector<Part> parts;
  add_part(parts, cim_nest(document));
  Part latency = grouped("Latency by semantics", "cycles");
  for (const auto& [name, cycles] : metrics.at("latency").members()) {
    latency.rows.push_back({name, "latency", cycles.json()});
  }
  add_part(parts, std::move(latency));
  Part energy = bars("Where the energy goes", "nJ");
  add_nested(energy, metrics.at("energy"), "all");
  add_part(parts, std::move(energy));
  Part busy = bars("Cycles in which memories move data", "cycles");
  add_nested(busy, metrics.at("busy"), "all");
  add_part(parts, std::move(busy));
  add_part(parts, cim_array(document, architecture));
  add_part(parts, transfers_of(metrics));
  return parts;
}

Section cim_mapping_section(const Value& document) {
  if (!document.has("mapping") || !document.has("metrics")) return plain_section(document);
  Section section;
  const Value architecture = document.at("architecture");
  section.title =
      fmt::format("{} on {}", document.text_or("layer", "layer"), architecture.at("name").text());
  section.note = document.text_or("command", "");
  section.facts.push_back({"layer", shape_of(document.at("workload"))});
  section.facts.push_back({"MACs", macs_of(document.at("workload"))});
  if (document.has("status")) section.facts.push_back(status_fact(document.at("status").text()));
  if (document.has("objective")) add_objective(section.facts, document.at("objective"));
  for (const auto& [name, exact] : document.at("metrics").at("exact").members()) {
    section.facts.push_back({name + ", exact", exact.json()});
  }
  section.parts = cim_mapping_parts(document, architecture);
  return section;
}

Section timeline_section(const std::string& file, const std::vector<Json>& lines) {
  Section section;
  section.title = fmt::format("Transfers over time: {}", file);
  Part part = blocks("Timeline", "cycles", "");
  for (const Json& line : lines) {
    if (part.rows.size() >= kMostEvents) break;
    const Value event(line, file);
    const bool product = event.at("event").text() == "product";
    const std::string lane =
        product ? "products"
                : fmt::format("{} to {}", event.at("from").text(), event.at("to").text());
    const std::string tensor = product ? "MACs" : event.at("tensor").text();
    part.rows.push_back({"", lane, event.at("start").json(), event.at("end").json(), tensor,
                         fmt::format("{} {}", event.at("event").text(), tensor)});
  }
  part.note = lines.size() > part.rows.size()
                  ? fmt::format("The first {} of {} events.", part.rows.size(), lines.size())
                  : "All events.";
  add_part(section.parts, std::move(part));
  return section;
}

}  // namespace pimbb::report
