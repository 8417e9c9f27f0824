// The split, slice and mapping of a pimbb-device/1 document.
#include <algorithm>

#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/mapping_in.hpp"
#include "files/source.hpp"
#include "files/value.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim {
namespace {

Factors read_factors(const files::Value& value) {
  const files::Object object = value.object(kDimNames);
  Factors factors = kOnes;
  for (const Dim j : kAllDims) {
    if (const auto v = object.find(name(j))) factors[index(j)] = v->integer(1);
  }
  return factors;
}

/// Levels by name, in any order; one that is left out splits nothing.
Split read_split(const files::Value& value, const Device& device) {
  static constexpr std::array<std::string_view, 2> kKeys{"level", "factors"};
  std::vector<std::string_view> names;
  for (const DeviceLevel& level : device.levels) names.push_back(level.name);
  Split split(names.size(), kOnes);
  std::vector<bool> seen(names.size());
  for (const files::Value& item : value.list("lists of levels: {level: NAME, factors: {...}}")) {
    const files::Object object = item.object(kKeys);
    const files::Value level = object["level"];
    const std::size_t d = level.choice(names);
    if (seen[d]) level.fail("a level a second time: " + level.found(), "each level once");
    seen[d] = true;
    split[d] = read_factors(object["factors"]);
  }
  return split;
}

}  // namespace

DeviceMappingFile parse_device_mapping(std::string_view text, const std::string& label,
                                       const Device& device) {
  static constexpr std::array<std::string_view, 17> kKeys{
      "format",    "version", "command",  "device",   "layer",  "status",
      "objective", "reason",  "split",    "slice",    "padded", "moves",
      "metrics",   "mapping", "warnings", "workload", "stats"};
  const files::Document document(text, label);
  const files::Value root(document, "device mapping");
  const std::array<std::string_view, 1> formats{io::kDeviceFormat};
  if (const auto v = root.get("format")) static_cast<void>(v->choice(formats));
  std::vector<std::string_view> keys(kKeys.begin(), kKeys.end());
  keys.emplace_back("row_model");
  const files::Object object = root.object(keys);
  DeviceMappingFile file;
  file.mapping.split = read_split(object["split"], device);
  file.mapping.slice = read_factors(object["slice"]);
  file.mapping.mapping = io::mapping_in(object["mapping"], device.unit);
  if (const auto v = object.find("moves")) file.moves = v->subset(kTensorNames, "tensor");
  return file;
}

DeviceMappingFile read_device_mapping(const std::string& path, const Device& device) {
  const files::Source file = files::load_file(path);
  return parse_device_mapping(file.text, file.label, device);
}

}  // namespace pimbb::dram_pim
