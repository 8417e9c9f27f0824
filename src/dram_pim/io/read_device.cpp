// Device files: keys of a device, its levels, and its unit, which is an architecture.
#include <algorithm>
#include <filesystem>

#include "dram_pim/io/architecture_in.hpp"
#include "dram_pim/io/architecture_presets.hpp"
#include "dram_pim/io/device_presets.hpp"
#include "files/changes.hpp"
#include "files/nearest.hpp"
#include "files/value.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

DeviceLevel read_device_level(const files::Value& value) {
  static constexpr std::array<std::string_view, 11> kKeys{
      "name",          "count",    "write_bandwidth", "read_bandwidth", "broadcast", "reduce",
      "reduce_energy", "lockstep", "energy",          "latency",        "dims"};
  const files::Object object = value.object(kKeys);
  DeviceLevel level;
  level.name = object["name"].text("names");
  level.count = object["count"].integer(1);
  if (const auto v = object.find("write_bandwidth")) level.write_bandwidth = v->positive();
  if (const auto v = object.find("read_bandwidth")) level.read_bandwidth = v->positive();
  if (const auto v = object.find("broadcast")) level.broadcast = v->boolean();
  if (const auto v = object.find("reduce")) level.reduce = v->boolean();
  if (const auto v = object.find("reduce_energy")) level.reduce_energy = v->not_negative();
  if (const auto v = object.find("lockstep")) level.lockstep = v->boolean();
  if (const auto v = object.find("energy")) level.energy = v->not_negative();
  if (const auto v = object.find("latency")) level.latency = v->not_negative();
  if (const auto v = object.find("dims")) level.dims = v->subset(kDimNames, "dimension");
  return level;
}

std::vector<DeviceLevel> read_device_levels(const files::Value& value) {
  std::vector<DeviceLevel> levels;
  for (const files::Value& item : value.list("lists of levels, from the unit outwards")) {
    DeviceLevel level = read_device_level(item);
    if (std::ranges::count(levels, level.name, &DeviceLevel::name) > 0) {
      item.fail("a second level named '" + level.name + "'", "distinct names");
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

Refresh read_refresh(const files::Value& value) {
  static constexpr std::array<std::string_view, 2> kKeys{"interval", "duration"};
  const files::Object object = value.object(kKeys);
  const files::Value duration = object["duration"];
  const Refresh refresh{object["interval"].positive(), duration.not_negative()};
  if (refresh.duration >= refresh.interval) {
    duration.fail(duration.found(), "numbers below the interval, " + refresh.interval.to_string());
  }
  return refresh;
}

std::string join_all(const std::vector<std::string>& names) {
  return files::join(std::vector<std::string_view>(names.begin(), names.end()));
}

/// The architecture of a text; a device is none.
Architecture unit_of_text(const files::Source& file) {
  const files::Document document(file.text, file.label);
  const files::Value root(document, "architecture");
  if (root.has("device") || root.has("unit")) {
    root.fail("a device", "architectures of one unit");
  }
  return parse_architecture(file.text, file.label);
}

bool has_device(const files::Source& file) {
  const files::Document document(file.text, file.label);
  const files::Value root(document, "device");
  return root.has("device") || root.has("unit");
}

/// A preset, a file relative to that of the device, or an architecture in place.
Architecture read_unit(const files::Value& value, const std::filesystem::path& folder) {
  static constexpr std::string_view kAllowed =
      "presets, files (relative to this one) and architectures in place";
  if (value.has("pe_array") || value.has("memory_hierarchy") || value.has("architecture")) {
    return io::architecture_in(value.unwrap("architecture"));
  }
  if (value.has("device") || value.has("unit")) value.fail("a device", kAllowed);
  const std::string source = value.text(kAllowed);
  if (const files::Preset* preset = io::architecture_table().find(source)) {
    return unit_of_text({"preset " + source, std::string(preset->text)});
  }
  if (io::device_table().find(source) != nullptr) value.fail("the device " + source, kAllowed);
  const std::string path = (folder / source).string();
  if (!files::path_exists(path)) {
    value.fail(value.found(), std::string(kAllowed) + "; the presets are " +
                                  join_all(io::architecture_table().names()));
  }
  return unit_of_text(files::load_file(path));
}

void read_host(const files::Value& value, Device& device) {
  static constexpr std::array<std::string_view, 2> kKeys{"reduce_energy", "reduce_bandwidth"};
  const files::Object object = value.object(kKeys);
  if (const auto v = object.find("reduce_energy")) device.host_reduce_energy = v->not_negative();
  if (const auto v = object.find("reduce_bandwidth")) {
    device.host_reduce_bandwidth = v->positive();
  }
}

Device device_of(const files::Value& value, const std::filesystem::path& folder) {
  static constexpr std::array<std::string_view, 10> kKeys{
      "name",   "unit",    "capacity", "cycle", "static_power",
      "launch", "refresh", "phases",   "host",  "levels"};
  const files::Object object = value.object(kKeys);
  Device device;
  if (const auto v = object.find("name")) device.name = v->text("names");
  device.unit = read_unit(object["unit"], folder);
  if (const auto v = object.find("capacity")) {
    const std::int64_t bytes = v->integer(-1);
    if (bytes == 0) v->fail("0", "bytes >= 1, or -1 for unbounded");
    std::optional<std::int64_t>& capacity = device.unit.levels.back().capacity;
    capacity.reset();
    if (bytes > 0) capacity = bytes;
  }
  if (const auto v = object.find("cycle")) device.cycle = v->positive();
  if (const auto v = object.find("static_power")) device.static_power = v->not_negative();
  if (const auto v = object.find("launch")) device.launch = v->not_negative();
  if (const auto v = object.find("refresh")) device.refresh = read_refresh(*v);
  if (const auto v = object.find("phases")) {
    device.phases = static_cast<Phases>(v->choice(kPhasesNames));
  }
  if (const auto v = object.find("host")) read_host(*v, device);
  device.levels = read_device_levels(object["levels"]);
  return device;
}

/// A file of the PIM optimizer, which counts its units: two levels with unbounded links.
Device counted_units(const files::Value& value) {
  Device device;
  device.unit = io::architecture_in(value);
  device.name = device.unit.name;
  for (const auto& [key, name] : {std::pair("pu_count", "pu"), {"vault_count", "vault"}}) {
    const auto count = value.get(key);
    DeviceLevel level;
    level.name = name;
    if (count) level.count = count->integer(1);
    device.levels.push_back(std::move(level));
  }
  return device;
}

std::vector<std::string> device_warnings(const files::Value& file, const Device& device) {
  std::vector<std::string> warnings = device.unit.warnings;
  const auto bounded = [](const DeviceLevel& level) {
    return level.write_bandwidth || level.read_bandwidth;
  };
  if (!device.levels.empty() && std::ranges::none_of(device.levels, bounded)) {
    warnings.push_back(file.note("no level has a bandwidth: transfers take no time"));
  }
  return warnings;
}

Device parse_device_in(std::string_view text, const std::string& label,
                       const std::filesystem::path& folder,
                       const std::vector<std::string>& changes) {
  files::Document document(text, label);
  files::change(document, changes, "launch=100 or levels.unit.count=4", "device", "levels");
  const files::Value root(document, "device");
  const bool counts = root.unwrap("architecture").has("pe_array");
  const files::Value value = root.unwrap(counts ? "architecture" : "device");
  Device device = counts ? counted_units(value) : device_of(value, folder);
  device.name += files::name_of_changes(changes);
  try {
    validate(device);
  } catch (const InputError& error) {
    throw InputError(value.prefix() + error.what());
  }
  device.warnings = device_warnings(value, device);
  return device;
}

}  // namespace

Device parse_device(std::string_view text, const std::string& label,
                    const std::vector<std::string>& changes) {
  return parse_device_in(text, label, ".", changes);
}

Device read_device(const std::string& source, const std::vector<std::string>& changes) {
  if (const files::Preset* preset = io::device_table().find(source)) {
    return parse_device_in(preset->text, "preset " + source, ".", changes);
  }
  const files::Source file = io::device_table().load(source);
  return parse_device_in(file.text, file.label, std::filesystem::path(source).parent_path(),
                         changes);
}

bool io::is_device(const std::string& source) {
  if (io::device_table().find(source) != nullptr) return true;
  return files::path_exists(source) && has_device(files::peek_file(source));
}

std::vector<std::string> device_presets() { return io::device_table().names(); }

}  // namespace pimbb::dram_pim
