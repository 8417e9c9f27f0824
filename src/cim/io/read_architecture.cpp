// Architecture files of `kind: cim`.
#include <algorithm>
#include <array>

#include "cim/io/architecture_presets.hpp"
#include "cim/io/architecture_warnings.hpp"
#include "files/changes.hpp"
#include "files/nearest.hpp"
#include "files/value.hpp"
#include "pimbb/cim/io.hpp"
#include "pimbb/error.hpp"
#include "pimbb/kind.hpp"

namespace pimbb::cim {
namespace {

Bits read_bits(const files::Value& value) {
  static constexpr std::array<std::string_view, 4> kKeys{"input", "weight", "output", "psum"};
  const files::Object object = value.object(kKeys);
  Bits bits;
  for (const Tensor t : kAllTensors) {
    bits.tensor[index(t)] = object[name(t)].integer(1, kMaxBits);
  }
  bits.psum = object["psum"].integer(1, kMaxBits);
  return bits;
}

Macro read_macro(const files::Value& value) {
  static constexpr std::array<std::string_view, 2> kKeys{"input_bits_per_cycle",
                                                         "activation_energy"};
  const files::Object object = value.object(kKeys);
  return {object["input_bits_per_cycle"].integer(1, kMaxBits),
          object["activation_energy"].not_negative()};
}

TensorFlags read_stores(const files::Value& value, bool is_dram) {
  const std::vector<files::Value> items =
      value.list("lists of three booleans: input, weight, output", kTensors);
  TensorFlags stores{};
  for (const Tensor t : kAllTensors) {
    stores[index(t)] = items[index(t)].boolean();
    if (is_dram && !stores[index(t)]) {
      items[index(t)].fail("false", "true: the last level is the DRAM, which stores every tensor");
    }
  }
  return stores;
}

Level read_level(const files::Value& value, bool is_dram) {
  static constexpr std::array<std::string_view, 8> kKeys{
      "name",         "size_bits", "bandwidth",     "read_energy",
      "write_energy", "stores",    "double_buffer", "always_charged"};
  const files::Object object = value.object(kKeys);
  Level level;
  level.name = object["name"].text("names");
  const std::int64_t bits = object["size_bits"].integer(-1);
  if (bits >= 0) level.size_bits = bits;
  level.bandwidth = object["bandwidth"].integer(1);
  level.read_energy = object["read_energy"].not_negative();
  level.write_energy = object["write_energy"].not_negative();
  level.stores = read_stores(object["stores"], is_dram);
  if (const auto v = object.find("double_buffer")) {
    level.double_buffer = v->boolean();
    if (is_dram && *level.double_buffer) {
      v->fail("true", "false: nothing is moved into the DRAM");
    }
  }
  if (const auto v = object.find("always_charged")) level.always_charged = v->boolean();
  return level;
}

std::vector<Level> read_levels(const files::Value& value) {
  static constexpr std::string_view kAllowed =
      "lists of 1 .. 16 levels, innermost first, the DRAM last";
  const std::vector<files::Value> items = value.list(kAllowed);
  if (items.empty() || items.size() > kMaxLevels) {
    value.fail("a list of " + std::to_string(items.size()), kAllowed);
  }
  std::vector<Level> levels;
  for (const files::Value& item : items) {
    Level level = read_level(item, levels.size() + 1 == items.size());
    if (std::ranges::any_of(levels, [&](const Level& l) { return l.name == level.name; })) {
      item.fail("a second level named '" + level.name + "'", "distinct names");
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

/// The level that spreads a tensor: by name, among those that store it.
std::size_t read_fan_out(const files::Value& value, const Architecture& a, Tensor t) {
  std::vector<std::string_view> names;
  const std::vector<std::size_t> chain = a.chain(t);
  for (const std::size_t m : chain) names.emplace_back(a.levels[m].name);
  return chain[value.choice(names)];
}

Axis read_axis(const files::Value& value, const Architecture& a) {
  static constexpr std::array<std::string_view, 4> kKeys{"name", "size", "dims", "fan_out"};
  const files::Object object = value.object(kKeys);
  Axis axis;
  axis.name = object["name"].text("names");
  axis.size = object["size"].integer(1);
  axis.dims = object["dims"].subset(kDimNames, "dimension");
  const files::Object fan_out = object["fan_out"].object(kTensorNames);
  for (const Tensor t : kAllTensors) {
    axis.fan_out[index(t)] = read_fan_out(fan_out[name(t)], a, t);
  }
  return axis;
}

std::vector<Axis> read_axes(const files::Value& value, const Architecture& a) {
  static constexpr std::string_view kAllowed = "lists of 1 .. 8 axes, the cores first";
  const std::vector<files::Value> items = value.list(kAllowed);
  if (items.empty() || items.size() > kMaxAxes) {
    value.fail("a list of " + std::to_string(items.size()), kAllowed);
  }
  std::vector<Axis> axes;
  for (const files::Value& item : items) {
    Axis axis = read_axis(item, a);
    if (std::ranges::any_of(axes, [&](const Axis& other) { return other.name == axis.name; })) {
      item.fail("a second axis named '" + axis.name + "'", "distinct names");
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

Architecture architecture_of(const files::Value& value) {
  static constexpr std::array<std::string_view, 7> kKeys{
      "kind", "name", "bits", "leakage", "macro", "spatial_axes", "memory_hierarchy"};
  static constexpr std::array<std::string_view, 1> kKind{name(Kind::cim)};
  if (const auto kind = value.get("kind")) static_cast<void>(kind->choice(kKind));
  const files::Object object = value.object(kKeys);
  static_cast<void>(object["kind"].choice(kKind));
  Architecture a;
  if (const auto v = object.find("name")) a.name = v->text("names");
  a.bits = read_bits(object["bits"]);
  a.macro = read_macro(object["macro"]);
  a.leakage = object["leakage"].not_negative();
  a.levels = read_levels(object["memory_hierarchy"]);
  a.axes = read_axes(object["spatial_axes"], a);
  return a;
}

}  // namespace

Architecture parse_architecture(std::string_view text, const std::string& label,
                                const std::vector<std::string>& changes) {
  files::Document document(text, label);
  files::change(document, changes, "leakage=0 or levels.GlobalBuffer.size_bits=4194304");
  const files::Value root(document, "architecture");
  Architecture architecture = architecture_of(root.unwrap("architecture"));
  architecture.name += files::name_of_changes(changes);
  try {
    validate(architecture);
  } catch (const InputError& error) {
    throw InputError(root.prefix() + error.what());
  }
  if (!root.has("format")) {  // a result has all keys, and had the warnings of its file
    architecture.warnings = io::architecture_warnings(root.unwrap("architecture"), architecture);
  }
  return architecture;
}

Architecture read_architecture(const std::string& source, const std::vector<std::string>& changes) {
  const files::Source file = io::architecture_table().load(source);
  return parse_architecture(file.text, file.label, changes);
}

std::vector<std::string> architecture_presets() { return io::architecture_table().names(); }

}  // namespace pimbb::cim
