// Devices as JSON.
#include "dram_pim/io/device_json.hpp"

#include "dram_pim/io/result_json.hpp"

namespace pimbb::dram_pim::io {
namespace {

void put_figure(files::Json& json, const std::string& key, const std::optional<Rational>& value) {
  if (value) json[key] = files::exact_number(*value);
}

files::Json device_level_json(const DeviceLevel& level) {
  files::Json json = files::Json::object();
  json["name"] = level.name;
  json["count"] = level.count;
  put_figure(json, "write_bandwidth", level.write_bandwidth);
  put_figure(json, "read_bandwidth", level.read_bandwidth);
  json["broadcast"] = level.broadcast;
  json["reduce"] = level.reduce;
  json["lockstep"] = level.lockstep;
  put_figure(json, "reduce_energy", level.reduce_energy);
  put_figure(json, "energy", level.energy);
  put_figure(json, "latency", level.latency);
  json["dims"] = files::Json::array();
  for (const Dim j : kAllDims) {
    if (level.dims[index(j)]) json["dims"].push_back(name(j));
  }
  return json;
}

}  // namespace

files::Json device_json(const Device& device) {
  files::Json json = files::Json::object();
  json["name"] = device.name;
  put_figure(json, "cycle", device.cycle);
  put_figure(json, "static_power", device.static_power);
  put_figure(json, "launch", device.launch);
  if (device.refresh) {
    put_figure(json["refresh"], "interval", device.refresh->interval);
    put_figure(json["refresh"], "duration", device.refresh->duration);
  }
  json["phases"] = kPhasesNames[static_cast<std::size_t>(device.phases)];
  put_figure(json["host"], "reduce_energy", device.host_reduce_energy);
  put_figure(json["host"], "reduce_bandwidth", device.host_reduce_bandwidth);
  json["levels"] = files::Json::array();
  for (const DeviceLevel& level : device.levels) json["levels"].push_back(device_level_json(level));
  json["unit"] = architecture_json(device.unit);
  return json;
}

}  // namespace pimbb::dram_pim::io
