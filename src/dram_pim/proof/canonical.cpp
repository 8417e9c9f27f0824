// The canonical instance: every figure of the model, none left out, numbers as exact strings.

#include <span>

#include "dram_pim/model/architecture_fields.hpp"
#include "files/json_text.hpp"
#include "pimbb/dram_pim/proof.hpp"

namespace pimbb::dram_pim {
namespace {

using Json = nlohmann::ordered_json;

/// Keys in the order of the format; what is added to it later comes after them.
Json with_keys(std::initializer_list<const char*> keys) {
  Json json = Json::object();
  for (const char* key : keys) json[key] = nullptr;
  return json;
}

Json value_of(const Rational& value) { return value.to_string(); }
Json value_of(const auto& value) { return value; }
template <class Number>
Json value_of(const std::optional<Number>& value) {
  return value ? value_of(*value) : Json(nullptr);
}

template <class Part>
void add_fields(Json& json, const Part& part, std::span<const Field<Part>> fields) {
  for (const Field<Part>& field : fields) {
    if (field.canonical.empty()) continue;
    std::visit(
        [&](const auto member) {
          if constexpr (!std::is_same_v<decltype(member), const std::monostate>) {
            json[std::string(field.canonical)] = value_of(part.*member);
          }
        },
        field.member);
  }
}

Json pe_array_json(const PeArray& pe) {
  Json json = with_keys({"height", "width", "unit_type", "num_macs", "internal_dim"});
  add_fields<PeArray>(json, pe, kPeFields);
  json["unit_type"] = kUnitTypeNames[static_cast<std::size_t>(pe.unit_type)];
  if (pe.internal_dim) json["internal_dim"] = name(*pe.internal_dim);
  return json;
}

Json level_json(const Architecture& a, std::size_t m) {
  const MemoryLevel& level = a.levels[m];
  Json json = Json::object();
  json["name"] = level.name;
  json["capacity"] = value_of(level.capacity);
  json["access_cost"] = nullptr;
  json["read_bandwidth"] = value_of(level.bandwidth(Tensor::input));
  json["write_bandwidth"] = value_of(level.bandwidth(Tensor::output));
  json["shared_ports"] = level.shared_ports;
  json["stores"] = a.storable(m);
  json["bypass_free"] = level.bypass_free && m < a.row_buffer();
  add_fields<MemoryLevel>(json, level, kLevelFields);
  return json;
}

Json architecture_json(const Architecture& a, RowModel row_model) {
  Json json = with_keys({"name", "pe_array", "levels", "row_bytes", "activation_cycles",
                         "activation_energy", "interconnect_bandwidth", "bits", "psum_rereads",
                         "input_order"});
  json["name"] = a.name;
  json["pe_array"] = pe_array_json(a.pe_array);
  json["levels"] = Json::array();
  for (std::size_t m = 0; m < a.levels.size(); ++m) json["levels"].push_back(level_json(a, m));
  json["row_bytes"] = a.row_bytes();
  json["activation_cycles"] = value_of(a.activation_cycles());
  json["bits"] = a.bits;
  json["input_order"] = kInputOrderNames[static_cast<std::size_t>(a.input_order)];
  add_fields<Architecture>(json, a, kArchitectureFields);
  if (a.packing == Packing::bit) json["packing"] = "bit";
  if (a.shared_streams) json["dram_streams"] = "shared";
  if (is_traced(row_model) && a.banks() < kTensors) json["banks"] = a.banks();
  return json;
}

Json workload_json(const Workload& w) {
  Json json = Json::object();
  json["name"] = w.name;
  json["bounds"] = w.bounds;
  if (w.bound(Dim::G) == 1) json["bounds"].erase(index(Dim::G));
  json["stride"] = {w.stride_w, w.stride_h};
  json["dilation"] = {w.dilation_w, w.dilation_h};
  return json;
}

Json objective_json(const Objective& objective, RowModel row_model,
                    const std::vector<GoalCap>& caps) {
  Json json = Json::object();
  json["goals"] = Json::array();
  for (const Goal goal : objective.goals) {
    json["goals"].push_back(name(goal));
  }
  json["alpha"] = objective.alpha.to_string();
  json["beta"] = objective.beta.to_string();
  json["row_model"] = name(row_model);
  files::add_list(json, "at_most", caps, [](const GoalCap& cap) {
    return Json::array({name(cap.goal), cap.most.to_string()});
  });
  return json;
}

/// [least, most], null for no upper limit.
Json range_json(std::int64_t least, std::int64_t most) {
  Json json = Json::array({least, nullptr});
  if (most != FactorRange::kAny) json[1] = most;
  return json;
}

/// Of each dimension.
Json ranges_json(const FactorRanges& ranges) {
  Json json = Json::array();
  for (const FactorRange& range : ranges) json.push_back(range_json(range.least, range.most));
  return json;
}

/// Complete, whatever part of it is constrained.
Json constraints_json(const Architecture& a, const Constraints& c) {
  Json json = Json::object();
  for (const char* key : {"spatial", "temporal", "stores", "inside", "layout", "input_block"}) {
    json[key] = Json::array();
  }
  for (const FactorRanges& ranges : c.spatial) json["spatial"].push_back(ranges_json(ranges));
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    FactorRanges ranges;
    Json stores = Json::array();
    for (const Dim j : kAllDims) ranges[index(j)] = c.temporal_range(m, j);
    for (const Tensor t : kAllTensors) {
      const std::optional<bool> stored = c.stored(m, t);
      stores.push_back(stored ? Json(*stored) : Json(nullptr));
    }
    json["temporal"].push_back(ranges_json(ranges));
    json["stores"].push_back(std::move(stores));
    json["inside"].push_back(m < c.orders.inside.size() ? c.orders.inside[m] : LevelPrecedence{});
  }
  for (const LayoutRange& range : c.layouts) {
    json["layout"].push_back(Json::array({range.sequential, range.row_aligned}));
  }
  const LayoutRange& input = c.layouts[index(Tensor::input)];
  for (const std::size_t k : {2U, 3U}) {  // h, w
    json["input_block"].push_back(range_json(input.least.at(k), input.most.at(k)));
  }
  return json;
}

}  // namespace

std::string canonical_instance(const Architecture& architecture, const Workload& workload,
                               const Objective& objective, RowModel row_model,
                               const std::vector<GoalCap>& caps, const Constraints& constraints) {
  Json json = Json::object();
  json["format"] = "pimbb-instance/1";
  json["architecture"] = architecture_json(architecture, row_model);
  json["workload"] = workload_json(workload);
  json["objective"] = objective_json(objective, row_model, caps);
  if (constraints.any()) {  // no key where there are none
    json["constraints"] = constraints_json(architecture, constraints);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pimbb::dram_pim
