// The canonical instance: every figure of the model, none left out, numbers as exact strings.
#include <nlohmann/json.hpp>

#include "pimbb/dram_pim/proof.hpp"

namespace pimbb::dram_pim {
namespace {

using Json = nlohmann::ordered_json;

template <class Number>
Json optional_number(const std::optional<Number>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_same_v<Number, Rational>) {
    return value->to_string();
  } else {
    return *value;
  }
}

Json pe_array_json(const PeArray& pe) {
  Json json;
  json["height"] = pe.height;
  json["width"] = pe.width;
  json["unit_type"] = kUnitTypeNames[static_cast<std::size_t>(pe.unit_type)];
  json["num_macs"] = pe.num_macs;
  json["internal_dim"] = pe.internal_dim ? Json(name(*pe.internal_dim)) : Json(nullptr);
  json["mac_energy"] = pe.mac_energy.to_string();
  json["reduction_latency"] = pe.reduction_latency.to_string();
  return json;
}

Json level_json(const Architecture& a, std::size_t m) {
  const MemoryLevel& level = a.levels[m];
  Json json;
  json["name"] = level.name;
  json["capacity"] = optional_number(level.capacity);
  json["access_cost"] = level.access_cost.to_string();
  json["read_bandwidth"] = level.bandwidth(Tensor::input).to_string();
  json["write_bandwidth"] = level.bandwidth(Tensor::output).to_string();
  json["shared_ports"] = level.shared_ports;
  json["stores"] = a.storable(m);
  json["bypass_free"] = level.bypass_free && m < a.row_buffer();
  return json;
}

Json architecture_json(const Architecture& a) {
  Json json;
  json["name"] = a.name;
  json["pe_array"] = pe_array_json(a.pe_array);
  json["levels"] = Json::array();
  for (std::size_t m = 0; m < a.levels.size(); ++m) json["levels"].push_back(level_json(a, m));
  json["row_bytes"] = a.row_bytes();
  json["activation_cycles"] = a.activation_cycles().to_string();
  json["activation_energy"] = a.activation_energy.to_string();
  json["interconnect_bandwidth"] = optional_number(a.interconnect_bandwidth);
  json["bits"] = a.bits;
  json["psum_rereads"] = a.psum_rereads;
  json["input_order"] = a.input_order == InputOrder::nhwc ? "nhwc" : "nchw";
  return json;
}

Json workload_json(const Workload& w) {
  Json json;
  json["name"] = w.name;
  json["bounds"] = w.bounds;
  if (w.bound(Dim::G) == 1) json["bounds"].erase(index(Dim::G));
  json["stride"] = {w.stride_w, w.stride_h};
  json["dilation"] = {w.dilation_w, w.dilation_h};
  return json;
}

Json objective_json(const Objective& objective, RowModel row_model) {
  Json json;
  json["goals"] = Json::array();
  for (const Goal goal : objective.goals) {
    json["goals"].push_back(name(goal));
  }
  json["alpha"] = objective.alpha.to_string();
  json["beta"] = objective.beta.to_string();
  json["row_model"] = name(row_model);
  return json;
}

}  // namespace

std::string canonical_instance(const Architecture& architecture, const Workload& workload,
                               const Objective& objective, RowModel row_model) {
  Json json;
  json["format"] = "pimbb-instance/1";
  json["architecture"] = architecture_json(architecture);
  json["workload"] = workload_json(workload);
  json["objective"] = objective_json(objective, row_model);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pimbb::dram_pim
