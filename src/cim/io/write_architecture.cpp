// Architectures as JSON.
#include "cim/io/result_json.hpp"
#include "pimbb/kind.hpp"

namespace pimbb::cim::io {
namespace {

files::Json bits_json(const Bits& bits) {
  files::Json json = files::Json::object();
  for (const Tensor t : kAllTensors) json[std::string(name(t))] = bits.tensor[index(t)];
  json["psum"] = bits.psum;
  return json;
}

files::Json axis_json(const Architecture& a, const Axis& axis) {
  files::Json json = files::Json::object();
  json["name"] = axis.name;
  json["size"] = axis.size;
  json["dims"] = files::Json::array();
  for (const Dim d : kAllDims) {
    if (axis.dims[index(d)]) json["dims"].push_back(std::string(name(d)));
  }
  json["fan_out"] = files::Json::object();
  for (const Tensor t : kAllTensors) {
    json["fan_out"][std::string(name(t))] = a.levels[axis.fan_out[index(t)]].name;
  }
  return json;
}

files::Json level_json(const Level& level) {
  files::Json json = files::Json::object();
  json["name"] = level.name;
  json["size_bits"] = level.size_bits.value_or(-1);
  json["bandwidth"] = level.bandwidth;
  json["read_energy"] = files::exact_number(level.read_energy);
  json["write_energy"] = files::exact_number(level.write_energy);
  json["stores"] = level.stores;
  if (level.double_buffer) json["double_buffer"] = *level.double_buffer;
  json["always_charged"] = level.always_charged;
  return json;
}

}  // namespace

files::Json architecture_json(const Architecture& a) {
  files::Json json = files::Json::object();
  json["kind"] = std::string(name(Kind::cim));
  json["name"] = a.name;
  json["bits"] = bits_json(a.bits);
  json["leakage"] = files::exact_number(a.leakage);
  json["macro"] = {{"input_bits_per_cycle", a.macro.input_bits_per_cycle},
                   {"activation_energy", files::exact_number(a.macro.activation_energy)}};
  json["spatial_axes"] = files::Json::array();
  for (const Axis& axis : a.axes) json["spatial_axes"].push_back(axis_json(a, axis));
  json["memory_hierarchy"] = files::Json::array();
  for (const Level& level : a.levels) json["memory_hierarchy"].push_back(level_json(level));
  return json;
}

}  // namespace pimbb::cim::io
