// The pimbb-crossbar/1 document: a mapping and what it costs.
#include "crossbar/io/formats.hpp"
#include "files/json_text.hpp"
#include "pimbb/crossbar/io.hpp"

namespace pimbb::crossbar {
namespace {

using files::Json;

Json cores_json(const Partition& p, const Mapping& mapping) {
  Json cores = Json::array();
  for (const auto& core : mapping.cores) {
    Json shares = Json::array();
    for (const Share& share : core) {
      shares.push_back(Json::array({p.node(p.arrays[share.array]).name, share.groups}));
    }
    cores.push_back(std::move(shares));
  }
  return cores;
}

Json estimates_json(const Metrics& metrics) {
  Json json = Json::object();
  json["ht"] = metrics.ht;
  json["ht-roof"] = metrics.ht_roof;
  json["ht-code"] = metrics.ht_code;
  if (const auto& latency = metrics.latency) {
    json["ll"] = latency->ll.to_double();
    json["ll-paper"] = latency->ll_paper.to_double();
    json["ll-code"] = latency->ll_code().to_double();
  }
  json["traffic"] = metrics.traffic();
  return json;
}

Json energy_json(const Energy& energy) {
  return {{"static", energy.standing.to_double()},
          {"dynamic", energy.dynamic.to_double()},
          {"total", energy.total().to_double()}};
}

Json exact_json(const Metrics& metrics, const Energy& energy) {
  Json json = Json::object();
  if (const auto& latency = metrics.latency) {
    json["ll"] = latency->ll.to_string();
    json["ll-paper"] = latency->ll_paper.to_string();
    json["ll-code"] = latency->ll_code().to_string();
  }
  json["energy"] = {{"static", energy.standing.to_string()},
                    {"dynamic", energy.dynamic.to_string()},
                    {"total", energy.total().to_string()}};
  return json;
}

}  // namespace

std::string evaluation_json(const Architecture& architecture, const Partition& p,
                            const Mapping& mapping, const Metrics& metrics, Mode mode) {
  const Energy& energy = metrics.energy_of(mode);
  Json json = Json::object();
  json["format"] = std::string(io::kMappingFormat);
  json["network"] = p.graph.name;
  json["accelerator"] = architecture.name;
  json["replication"] = Json::object();
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    json["replication"][p.node(p.arrays[v]).name] = mapping.replication[v];
  }
  json["cores"] = cores_json(p, mapping);
  json["estimates"] = estimates_json(metrics);
  json["exact"] = exact_json(metrics, energy);
  json["energy"] = energy_json(energy);
  json["memory"] = Json::object();
  for (std::size_t i = 0; i < kClosedPolicies.size(); ++i) {
    json["memory"][std::string(kClosedPolicies[i])] = {{"core", metrics.peaks[i].core},
                                                       {"bytes", metrics.peaks[i].bytes}};
  }
  return files::to_text(json);
}

}  // namespace pimbb::crossbar
