// The canonical instance of a device: that of the whole layer on one unit, and what surrounds it.
#include <nlohmann/json.hpp>

#include "pimbb/dram_pim/device_proof.hpp"
#include "pimbb/dram_pim/proof.hpp"

namespace pimbb::dram_pim {
namespace {

using Json = nlohmann::ordered_json;

Json text_of(const Rational& value) { return value.to_string(); }
Json text_of(const std::optional<Rational>& value) { return value ? text_of(*value) : Json(); }

Json device_level_json(const DeviceLevel& level) {
  Json json = Json::object();
  json["name"] = level.name;
  json["count"] = level.count;
  json["write_bandwidth"] = text_of(level.write_bandwidth);
  json["read_bandwidth"] = text_of(level.read_bandwidth);
  json["broadcast"] = level.broadcast;
  json["reduce"] = level.reduce;
  json["lockstep"] = level.lockstep;
  json["reduce_energy"] = text_of(level.reduce_energy);
  json["energy"] = text_of(level.energy);
  json["latency"] = text_of(level.latency);
  json["dims"] = level.dims;
  return json;
}

Json device_json(const Device& device) {
  Json json = Json::object();
  json["name"] = device.name;
  json["static_power"] = text_of(device.static_power);
  json["launch"] = text_of(device.launch);
  json["refresh"] = nullptr;
  if (device.refresh) {
    json["refresh"] = {text_of(device.refresh->interval), text_of(device.refresh->duration)};
  }
  json["phases"] = kPhasesNames[static_cast<std::size_t>(device.phases)];
  json["host"] = Json::object();
  json["host"]["reduce_energy"] = text_of(device.host_reduce_energy);
  json["host"]["reduce_bandwidth"] = text_of(device.host_reduce_bandwidth);
  json["levels"] = Json::array();
  for (const DeviceLevel& level : device.levels) json["levels"].push_back(device_level_json(level));
  return json;
}

/// For each dimension an integer, what is added, or a text, the factor by which bounds may grow;
/// and whether a group of one stays one. Null if nothing grows.
Json padding_json(const std::optional<Padding>& padding) {
  if (!padding) return nullptr;
  Json growths = Json::array();
  bool any = false;
  for (const Growth& growth : padding->growth) {
    const bool grows = growth.amount.sign() > 0;
    any = any || grows;
    if (grows && growth.relative) {
      growths.push_back(text_of(1 + growth.amount / 100));
    } else {
      growths.push_back(grows ? growth.top(0) : 0);
    }
  }
  if (!any) return nullptr;
  const bool groups = padding->growth[index(Dim::G)].amount.sign() > 0;
  return {{"growth", growths}, {"single_group", groups && padding->single_group}};
}

}  // namespace

std::string canonical_instance(const Device& device, const Workload& layer, const Moves& moves,
                               const Question& question) {
  Json around = Json::object();
  around["device"] = device_json(device);
  around["moves"] = moves;
  if (Json padding = padding_json(layer.padding); !padding.is_null()) around["pad"] = padding;
  const std::string text = around.dump(-1, ' ', false, Json::error_handler_t::replace);
  return R"({"format":"pimbb-device-instance/1","instance":)" +
         canonical_instance(device.unit, layer, question.objective, question.row_model,
                            question.caps, question.constraints) +
         "," + text.substr(1);
}

}  // namespace pimbb::dram_pim
