// A network on crossbars: replication, which core holds what, what the simulation keeps busy.
#include <fmt/format.h>

#include "report/facts.hpp"
#include "report/sections.hpp"

namespace pimbb::report {
namespace {

/// The array groups of each core, node by node.
Part cores_of(const Value& document) {
  Part part = blocks("Cores and the layers in them", "array groups of the core", "core");
  std::size_t core = 0;
  for (const Value& content : document.at("cores").elements()) {
    double from = 0;
    for (const Value& share : content.elements()) {
      const double groups = share.at(1).number();
      part.rows.push_back(
          {"", fmt::format("{}", core), from, from + groups, share.at(0).json(),
           fmt::format("{} x {:.0f} in core {}", share.at(0).text(), groups, core)});
      from += groups;
    }
    ++core;
  }
  part.note = "A core is a line; a colour is a layer.";
  return part;
}

void add_simulation(Section& section, const Value& simulation) {
  section.facts.push_back({"simulated time", simulation.at("time").json(), "ns"});
  section.facts.push_back({"instructions", simulation.at("instructions").json()});
  Part busy = grouped("Simulation: share of the time in which parts work", "share");
  for (const auto& [name, share] : simulation.at("utilization").members()) {
    busy.rows.push_back({name, "share", share.json()});
  }
  add_part(section.parts, std::move(busy));
}

/// What works over time: resources by interval, and nodes from their first to their last
/// instruction.
void add_timeline(Section& section, const Value& simulation) {
  const Value timeline = simulation.at("timeline");
  const double interval = timeline.at("interval").number();
  Part shares = steps("Simulation: what works over time", "ns", "share that works");
  for (const char* resource : {"arrays", "memory", "bus", "link", "vector"}) {
    double from = 0;
    for (const Value& share : timeline.at(resource).elements()) {
      shares.rows.push_back({resource, from, share.json()});
      from += interval;
    }
  }
  add_part(section.parts, std::move(shares));
  Part nodes = blocks("Simulation: layers over time", "ns", "");
  for (const Value& node : timeline.at("nodes").elements()) {
    const std::string name = node.at("node").text();
    nodes.rows.push_back({"", name, node.at("start").json(), node.at("end").json(), "", name});
  }
  nodes.note = "From the first to the last instruction of each layer.";
  nodes.more["legend"] = false;
  add_part(section.parts, std::move(nodes));
}

}  // namespace

Section crossbar_section(const Value& document) {
  Section section;
  section.title =
      fmt::format("{} on {}", document.at("network").text(), document.at("accelerator").text());
  section.note = document.text_or("command", "");
  if (document.has("status")) section.facts.push_back(status_fact(document.at("status").text()));
  if (document.has("objective")) {
    const Value objective = document.at("objective");
    if (objective.is_object()) {
      add_goal(section.facts, objective, objective.at("name").text());
    } else {
      add_objective(section.facts, objective);
    }
  }
  if (document.has("simulation")) {
    add_simulation(section, document.at("simulation"));
    if (document.at("simulation").has("timeline")) {  // not of older versions
      add_timeline(section, document.at("simulation"));
    }
  }
  Part estimates = table("Estimates", {"estimate", "value"});
  if (document.has("estimates")) {
    for (const auto& [name, value] : document.at("estimates").members()) {
      estimates.rows.push_back({name, value.json()});
    }
  }
  add_part(section.parts, std::move(estimates));
  Part replication = bars("Replication", "replicas");
  for (const auto& [node, replicas] : document.at("replication").members()) {
    replication.rows.push_back({node, "replicas", replicas.json()});
  }
  add_part(section.parts, std::move(replication));
  add_part(section.parts, cores_of(document));
  Part memory = grouped("Local memory: most in a core, by policy", "bytes");
  if (document.has("memory")) {
    for (const auto& [policy, peak] : document.at("memory").members()) {
      if (peak.has("bytes")) memory.rows.push_back({policy, "bytes", peak.at("bytes").json()});
    }
  }
  add_part(section.parts, std::move(memory));
  return section;
}

}  // namespace pimbb::report
