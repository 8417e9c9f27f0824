// The canonical instance: every figure of the model, none left out, numbers as exact strings.
#include "files/json_text.hpp"
#include "pimbb/cim/proof.hpp"

namespace pimbb::cim {
namespace {

using nlohmann::ordered_json;

ordered_json canonical_level(const Architecture& a, std::size_t m) {
  const Level& level = a.levels[m];
  ordered_json json = ordered_json::object();
  json["name"] = level.name;
  json["size_bits"] = level.size_bits ? ordered_json(*level.size_bits) : ordered_json(nullptr);
  json["bandwidth"] = level.bandwidth;
  json["read_energy"] = level.read_energy.to_string();
  json["write_energy"] = level.write_energy.to_string();
  json["stores"] = level.stores;
  json["double_buffer"] = ordered_json::array();
  for (const Tensor t : kAllTensors) json["double_buffer"].push_back(a.may_double(m, t));
  json["always_charged"] = level.always_charged;
  return json;
}

ordered_json canonical_axis(const Axis& axis) {
  ordered_json json = ordered_json::object();
  json["name"] = axis.name;
  json["size"] = axis.size;
  std::string dims;
  for (const Dim d : kAllDims) {
    if (axis.dims[index(d)]) dims += name(d);
  }
  json["dims"] = dims;
  json["fan_out"] = axis.fan_out;
  return json;
}

ordered_json canonical_architecture(const Architecture& a) {
  ordered_json json = ordered_json::object();
  json["name"] = a.name;
  json["bits"] = a.bits.tensor;
  json["bits"].push_back(a.bits.psum);
  json["input_bits_per_cycle"] = a.macro.input_bits_per_cycle;
  json["activation_energy"] = a.macro.activation_energy.to_string();
  json["leakage"] = a.leakage.to_string();
  files::add_list(json, "spatial_axes", a.axes, canonical_axis);
  json["memory_hierarchy"] = ordered_json::array();
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    json["memory_hierarchy"].push_back(canonical_level(a, m));
  }
  return json;
}

ordered_json canonical_layer(const Workload& w) {
  ordered_json json = ordered_json::object();
  json["name"] = w.name;
  json["bounds"] = w.bounds;
  json["stride"] = {w.stride_w, w.stride_h};
  json["dilation"] = {w.dilation_w, w.dilation_h};
  json["input"] = nullptr;
  if (w.input_plane) json["input"] = {w.input_plane->width, w.input_plane->height};
  return json;
}

ordered_json canonical_question(const Question& q) {
  ordered_json json = ordered_json::object();
  json["goals"] = ordered_json::array();
  for (const Goal goal : q.objective.goals) json["goals"].push_back(name(goal));
  json["alpha"] = q.objective.alpha.to_string();
  json["beta"] = q.objective.beta.to_string();
  json["semantics"] = name(q.pricing.semantics);
  json["contention"] = name(q.pricing.contention);
  json["pad"] = name(q.pricing.padding);
  json["factors"] = kFactorRuleNames[static_cast<std::size_t>(q.factors)];
  json["schemes"] = kSchemeRuleNames[static_cast<std::size_t>(q.schemes)];
  json["double"] = kDoubleRuleNames[static_cast<std::size_t>(q.doubling)];
  json["method"] = kMethodNames[static_cast<std::size_t>(q.method)];
  files::add_list(json, "at_most", q.caps, [](const GoalCap& cap) {
    return ordered_json::array({name(cap.goal), cap.most.to_string()});
  });
  return json;
}

}  // namespace

std::string canonical_instance(const Architecture& architecture, const Workload& workload,
                               const Question& question) {
  ordered_json json = ordered_json::object();
  json["format"] = "pimbb-cim-instance/1";
  json["architecture"] = canonical_architecture(architecture);
  json["workload"] = canonical_layer(workload);
  json["question"] = canonical_question(question);
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace pimbb::cim
