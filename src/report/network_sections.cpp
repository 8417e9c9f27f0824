// Networks: all layers side by side, then each of them on request.
#include <fmt/format.h>

#include "report/facts.hpp"
#include "report/sections.hpp"

namespace pimbb::report {
namespace {

double times_of(const Value& layer) {
  const double repetitions = layer.has("repetitions") ? layer.at("repetitions").number() : 1;
  const double weight =
      layer.has("weight") && layer.at("weight").is_number() ? layer.at("weight").number() : 1;
  return repetitions * weight;
}

/// The mapping of one unit: that of the layer, or inside the answer for a device.
Value unit_mapping(const Value& layer) {
  return layer.has("mapping") && layer.at("mapping").has("metrics") ? layer.at("mapping") : layer;
}

bool is_cim(const Value& document) {
  return document.text_or("format", "").find("-cim-") != std::string::npos;
}

/// A figure of a layer: a number, or of SRAM the one of the semantics that was minimised.
double figure_of(const Value& metrics, const char* name, const std::string& semantics) {
  const Value figure = metrics.at(name);
  if (figure.is_number()) return figure.number();
  if (figure.has(semantics)) return figure.at(semantics).number();
  double sum = 0;
  for (const auto& [key, value] : figure.members()) {
    if (value.is_number()) sum += value.number();
    if (!value.is_object()) continue;
    for (const auto& [part, inner] : value.members()) sum += inner.number();
  }
  return sum;
}

void add_layer_rows(Part& layers, const Value& layer, const std::string& semantics) {
  const Value metrics = layer.at("metrics");
  const double times = times_of(layer);
  const double latency = figure_of(metrics, "latency", semantics);
  const double energy = figure_of(metrics, "energy", semantics);
  const Value workload = layer.at("workload");
  Json units = nullptr;
  if (metrics.has("units")) units = metrics.at("units").json();
  layers.rows.push_back({layer.at("layer").json(), shape_of(workload), times, macs_of(workload),
                         latency, energy, latency * times, energy * times, units,
                         layer.text_or("status", "")});
}

void add_energy(Part& energy, const Value& layer, double times) {
  const Value metrics = unit_mapping(layer).at("metrics");
  const bool by_level = metrics.has("energy_by_level");
  const Value all = by_level ? metrics.at("energy_by_level") : metrics.at("energy");
  for (const auto& [level, inner] : all.members()) {
    double sum = 0;
    if (inner.is_number()) {
      sum = inner.number();
    } else {
      for (const auto& [tensor, value] : inner.members()) sum += value.number();
    }
    energy.rows.push_back({layer.at("layer").json(), level, sum * times});
  }
}

/// Time of a layer on a device: launch, transfers in, the units, transfers out.
void add_phases(Part& phases, const Value& layer, double times) {
  const Value metrics = layer.at("metrics");
  for (const auto& [name, key] :
       {std::pair{"launch", "launch_cycles"}, std::pair{"in", "in_cycles"},
        std::pair{"run", "run_cycles"}, std::pair{"out", "out_cycles"}}) {
    if (metrics.has(key)) {
      phases.rows.push_back({layer.at("layer").json(), name, metrics.at(key).number() * times});
    }
  }
}

Part layer_fold(const Value& layer, const Value& architecture, bool cim) {
  Part part = fold(fmt::format("{}: {}", layer.at("layer").text(), shape_of(layer.at("workload"))));
  if (layer.has("status")) part.facts.push_back(status_fact(layer.at("status").text()));
  if (layer.has("objective")) add_objective(part.facts, layer.at("objective"));
  const Value unit = unit_mapping(layer);
  part.parts = cim ? cim_mapping_parts(unit, architecture) : dram_mapping_parts(unit, architecture);
  return part;
}

void add_totals(Section& section, const Value& document) {
  if (!document.has("totals")) return;
  const Value totals = document.at("totals");
  for (const auto& [key, unit] :
       {std::pair{"latency", "cycles"}, std::pair{"energy", "nJ"}, std::pair{"edp", "nJ*cycles"},
        std::pair{"activations", ""}, std::pair{"macs", ""}}) {
    if (!totals.has(key)) continue;
    Fact fact{fmt::format("{}, all layers", key), totals.at(key).json(), unit};
    if (totals.at("exact").has(key)) fact.exact = totals.at("exact").at(key).text();
    section.facts.push_back(std::move(fact));
  }
  if (!totals.has("goals")) return;
  for (const Value& goal : totals.at("goals").elements()) {
    add_goal(section.facts, goal, goal.at("name").text());
  }
}

Value architecture_of(const Value& document, const Value& layer) {
  const Value unit = unit_mapping(layer);
  if (unit.has("architecture")) return unit.at("architecture");
  return document.at("architecture");
}

/// All layers of a network, each a document of its own; `layer_of` is where it is in its element.
void add_layers(Section& section, const Value& document, const std::vector<Value>& layers) {
  const bool cim = is_cim(document);
  const std::string semantics = document.text_or("semantics", "recursion");
  Part all = table("Layers", {"layer", "shape", "times", "MACs", "latency, cycles", "energy, nJ",
                              "latency x times", "energy x times", "units", "status"});
  Part latency = bars("Latency by layer", "cycles, all repetitions");
  Part phases = bars("Time on the device by layer", "cycles, all repetitions");
  Part energy = bars("Energy by layer and level", "nJ, all repetitions");
  std::vector<RooflinePoint> points;
  std::vector<Part> folds;
  for (const Value& layer : layers) {
    if (!layer.has("metrics")) continue;
    const double times = times_of(layer);
    add_layer_rows(all, layer, semantics);
    latency.rows.push_back({layer.at("layer").json(), "latency", all.rows.back()[6]});
    add_phases(phases, layer, times);
    add_energy(energy, layer, times);
    const Value architecture = architecture_of(document, layer);
    if (!cim) {
      points.push_back(roofline_point(layer.at("layer").text(), unit_mapping(layer), architecture));
    }
    folds.push_back(layer_fold(layer, architecture, cim));
  }
  add_part(section.parts, std::move(all));
  add_part(section.parts, std::move(latency));
  add_part(section.parts, std::move(phases));
  add_part(section.parts, std::move(energy));
  if (!points.empty()) {
    add_part(section.parts, roofline(points, architecture_of(document, layers.front())));
  }
  for (Part& part : folds) add_part(section.parts, std::move(part));
}

}  // namespace

Section network_section(const Value& document) {
  Section section;
  const std::string machine = document.has("device") ? document.at("device").text()
                              : document.has("architecture")
                                  ? document.at("architecture").at("name").text()
                                  : "";
  section.title = fmt::format("{} on {}", document.at("name").text(), machine);
  section.note = document.text_or("command", "");
  if (document.has("status")) section.facts.push_back(status_fact(document.at("status").text()));
  add_totals(section, document);
  add_layers(section, document, document.at("layers").elements());
  return section;
}

Section plan_section(const Value& document) {
  Section section;
  section.title = fmt::format("{}: one plan for all layers", document.at("name").text());
  section.note = document.text_or("command", "");
  section.facts.push_back(status_fact(document.at("status").text()));
  add_objective(section.facts, document.at("objective"));
  add_totals(section, document);
  std::vector<Value> layers;
  Part copies = bars("Copies between layouts", "cycles");
  for (const Value& layer : document.at("layers").elements()) {
    if (layer.has("result")) layers.push_back(layer.at("result"));
    for (const auto& [name, key] :
         {std::pair{"before", "relayout_before"}, std::pair{"after", "relayout_after"}}) {
      if (!layer.has(key) || !layer.at(key).has("latency")) continue;
      const Value cycles = layer.at(key).at("latency");
      if (cycles.number() > 0)
        copies.rows.push_back({layer.at("node").json(), name, cycles.json()});
    }
  }
  Part tensors = table("Layouts of the tensors that layers share", {"tensors", "layout", "box"});
  for (const Value& tensor : document.at("tensors").elements()) {
    std::string names;
    for (const Value& name : tensor.at("tensors").elements()) {
      names += (names.empty() ? "" : ", ") + name.text();
    }
    tensors.rows.push_back({names, tensor.text_or("layout", ""),
                            tensor.has("box") ? tensor.at("box").json().dump() : ""});
  }
  add_part(section.parts, std::move(tensors));
  add_part(section.parts, std::move(copies));
  add_layers(section, document, layers);
  return section;
}

Section device_section(const Value& document) {
  if (!document.has("metrics")) return plain_section(document);
  Section section;
  section.title =
      fmt::format("{} on {}", document.at("layer").text(), document.at("device").text());
  section.note = document.text_or("command", "");
  section.facts.push_back(status_fact(document.at("status").text()));
  add_objective(section.facts, document.at("objective"));
  const Value metrics = document.at("metrics");
  for (const auto& [key, unit] : {std::pair{"latency", "cycles"}, std::pair{"latency_ns", "ns"},
                                  std::pair{"energy", "nJ"}, std::pair{"units", ""}}) {
    if (metrics.has(key)) section.facts.push_back({key, metrics.at(key).json(), unit});
  }
  section.facts.push_back({"slice of a unit", shape_of(document.at("slice"))});
  Part phases = bars("Time on the device", "cycles");
  add_phases(phases, document, 1);
  add_part(section.parts, std::move(phases));
  Part links = table("Links", {"level", "count", "bytes in", "bytes out"});
  for (const Value& link : metrics.at("links").elements()) {
    links.rows.push_back({link.at("level").json(), link.at("count").json(),
                          link.at("bytes_in").json(), link.at("bytes_out").json()});
  }
  add_part(section.parts, std::move(links));
  const Value unit = document.at("mapping");
  for (Part& part : dram_mapping_parts(unit, unit.at("architecture"))) {
    add_part(section.parts, std::move(part));
  }
  return section;
}

}  // namespace pimbb::report
