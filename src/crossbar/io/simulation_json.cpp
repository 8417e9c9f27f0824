// Times, busy times and energy of a simulation.
#include "crossbar/io/simulation_json.hpp"

#include <string>

namespace pimbb::crossbar::io {
namespace {

using files::Json;

Json utilization_json(const Utilization& used) {
  return {{"arrays", used.arrays.to_double()},
          {"memory", used.memory.to_double()},
          {"bus", used.bus.to_double()},
          {"link", used.link.to_double()},
          {"vector", used.vector.to_double()}};
}

Json parts_json(const Rational& standing, const Rational& dynamic, const Rational& total,
                bool exact) {
  const auto value = [exact](const Rational& energy) {
    return exact ? Json(energy.to_string()) : Json(energy.to_double());
  };
  return {{"static", value(standing)}, {"dynamic", value(dynamic)}, {"total", value(total)}};
}

/// The share of each interval in which resources of a kind work, on average; the last interval ends
/// with the simulated time.
Json timeline_json(const Architecture& a, const Partition& p, const Simulation& simulation) {
  const Occupancy& busy = simulation.occupancy;
  const auto shares = [&](const std::vector<std::int64_t>& intervals, std::int64_t resources) {
    Json list = Json::array();
    for (std::size_t k = 0; k < intervals.size(); ++k) {
      const std::int64_t length =
          std::min(busy.interval, simulation.time - static_cast<std::int64_t>(k) * busy.interval);
      list.push_back(
          (Rational(intervals[k]) / (Rational(length) * Rational(resources))).to_double());
    }
    return list;
  };
  const std::int64_t cores = a.all_cores();
  Json json = {{"interval", busy.interval},
               {"arrays", shares(busy.arrays, cores * a.core.crossbars)},
               {"memory", shares(busy.memory, a.chips)},
               {"bus", shares(busy.bus, a.chips)},
               {"link", shares(busy.link, 1)},
               {"vector", shares(busy.vector, cores)}};
  json["nodes"] = Json::array();
  for (const NodeSpan& span : simulation.spans) {
    json["nodes"].push_back(
        {{"node", p.graph.nodes[span.node].name}, {"start", span.start}, {"end", span.end}});
  }
  return json;
}

}  // namespace

void add_simulation(Json& document, const Architecture& architecture, const Partition& partition,
                    const ScheduleOptions& options, const Simulation& simulation) {
  const Energy& energy = simulation.energy;
  Json json = Json::object();
  json["mode"] = std::string(kModeNames[static_cast<std::size_t>(options.mode)]);
  json["policy"] = std::string(kPolicyNames[static_cast<std::size_t>(options.policy)]);
  json["time"] = simulation.time;
  json["instructions"] = simulation.instructions;
  json["busy"] = {{"memory", simulation.busy.memory},
                  {"bus", simulation.busy.bus},
                  {"link", simulation.busy.link},
                  {"vector", simulation.busy.vector}};
  json["utilization"] = utilization_json(utilization(architecture, partition, simulation));
  json["energy"] = parts_json(energy.standing, energy.dynamic, energy.total(), false);
  json["timeline"] = timeline_json(architecture, partition, simulation);
  json["edp"] = (energy.total() * Rational(simulation.time)).to_double();
  json["exact"] = {{"energy", parts_json(energy.standing, energy.dynamic, energy.total(), true)}};
  document["simulation"] = std::move(json);
  if (options.policy != Policy::ag) {
    document["memory"]["live"] = {{"core", simulation.live.core}, {"bytes", simulation.live.bytes}};
  }
  if (simulation.exact) {
    document["memory"]["exact"] = {{"core", simulation.exact->peak.core},
                                   {"bytes", simulation.exact->peak.bytes},
                                   {"least", simulation.exact->least}};
  }
}

}  // namespace pimbb::crossbar::io
