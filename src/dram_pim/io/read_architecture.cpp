// Architecture files: plain figures by their table, the rest by hand.
#include <algorithm>
#include <functional>
#include <span>

#include "dram_pim/io/architecture_in.hpp"
#include "dram_pim/io/architecture_presets.hpp"
#include "dram_pim/io/architecture_warnings.hpp"
#include "dram_pim/model/architecture_fields.hpp"
#include "files/changes.hpp"
#include "files/value.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "pimbb/kind.hpp"

namespace pimbb::dram_pim {
namespace {

/// The keys of a table, and `others`, which files of the PIM optimizer have instead of some.
template <class Part, std::size_t count, class... Others>
constexpr auto keys_of(const std::array<Field<Part>, count>& fields, Others... others) {
  std::array<std::string_view, count + sizeof...(others)> keys{};
  for (std::size_t k = 0; k < count; ++k) keys[k] = fields[k].key;
  std::size_t next = count;
  ((keys[next++] = others), ...);
  return keys;
}

template <class Part>
void read_field(const files::Value& value, const Field<Part>& field, Part& part) {
  const auto read = [&]<class Number>(Number Part::*const member) {
    if constexpr (std::is_same_v<Number, bool>) {
      part.*member = value.boolean();
    } else if constexpr (std::is_same_v<Number, Rational> ||
                         std::is_same_v<Number, std::optional<Rational>>) {
      part.*member = field.range == Range::positive ? value.positive() : value.not_negative();
    } else {
      part.*member = value.integer(1, field.most);
    }
  };
  std::visit(
      [&](const auto member) {
        if constexpr (!std::is_same_v<decltype(member), const std::monostate>) read(member);
      },
      field.member);
}

/// All plain fields of a part: those that are there, and those that have to be.
template <class Part>
void read_fields(const files::Object& object, std::span<const Field<Part>> fields, Part& part,
                 const std::function<bool(std::string_view)>& required = {}) {
  for (const Field<Part>& field : fields) {
    if (std::holds_alternative<std::monostate>(field.member)) continue;
    const bool needed = field.required || (required && required(field.key));
    if (needed || object.find(field.key)) read_field(object[field.key], field, part);
  }
}

/// The PIM optimizer writes `array_shape: {h, w}` and, for the rest, `compute_unit: {...}`.
PeArray read_pe_array(const files::Value& value) {
  static constexpr auto kKeys = keys_of(kPeFields, "array_shape", "compute_unit");
  static constexpr std::array<std::string_view, 2> kShape{"h", "w"};
  static constexpr std::array<std::string_view, 5> kUnit{"unit_type", "num_macs", "internal_dim",
                                                         "mac_energy", "reduction_latency"};
  const files::Object object = value.object(kKeys);
  const auto array_shape = object.find("array_shape");
  const auto compute_unit = object.find("compute_unit");
  const files::Object shape = array_shape ? array_shape->object(kShape) : object;
  const files::Object unit = compute_unit ? compute_unit->object(kUnit) : object;
  PeArray pe;
  for (const Field<PeArray>& field : kPeFields) {
    const bool is_size = field.key.starts_with("dim_");
    const auto& part = is_size ? array_shape : compute_unit;
    if (const auto again = object.find(field.key); part && again) {
      again->fail("the same figure a second time", is_size
                                                       ? "either dim_h and dim_w or array_shape"
                                                       : "either the keys of a PE or compute_unit");
    }
    if (std::holds_alternative<std::monostate>(field.member)) continue;
    const files::Object& from = is_size ? shape : unit;
    const std::string_view key = is_size && array_shape ? field.key.substr(4) : field.key;
    if (field.required || from.find(key)) read_field(from[key], field, pe);
  }
  pe.unit_type = static_cast<UnitType>(unit["unit_type"].choice(kUnitTypeNames));
  if (const auto v = unit.find("internal_dim")) {
    pe.internal_dim = static_cast<Dim>(v->choice(kDimNames));
    if (pe.unit_type == UnitType::tensor_core && !is_reduction(*pe.internal_dim)) {
      v->fail(v->found(), "R, S, C: the dimensions that a tensor core can unroll inside a PE");
    }
  }
  return pe;
}

TensorFlags read_stores(const files::Value& value, bool all) {
  const std::vector<files::Value> items =
      value.list("lists of three booleans: input, weight, output", kTensors);
  TensorFlags stores{};
  for (const Tensor t : kAllTensors) {
    stores[index(t)] = items[index(t)].boolean();
    if (all && !stores[index(t)]) {
      items[index(t)].fail("false", "true: the row buffer and the DRAM store every tensor");
    }
  }
  return stores;
}

/// A bandwidth under the PIM optimizer's name, `read_bandwidth_limit`, and not under ours as well.
void read_limit(const files::Object& object, std::string_view key,
                std::optional<Rational>& bandwidth) {
  const auto limit = object.find(std::string(key) + "_limit");
  if (!limit) return;
  if (bandwidth) {
    limit->fail("the same figure a second time",
                std::string(key) + " or " + std::string(key) + "_limit");
  }
  bandwidth = limit->positive();
}

MemoryLevel read_level(const files::Value& value, const PeArray& pe, std::size_t m,
                       std::size_t count) {
  static constexpr auto kKeys =
      keys_of(kLevelFields, "read_bandwidth_limit", "write_bandwidth_limit");
  static constexpr std::array<std::string_view, 2> kPorts{"separate", "shared"};
  const bool is_dram = m + 1 == count;
  const bool is_row_buffer = m + 2 == count;
  const bool stores_all = is_dram || is_row_buffer;
  const files::Object object = value.object(kKeys);

  MemoryLevel level;
  level.name = object["name"].text("names");
  const std::int64_t entries = object["entries"].integer(-1);
  if (entries >= 0) level.capacity = entries;
  level.instances = m == 0 ? pe.height * pe.width : 1;
  // What a level's own latency and block size are for: its bandwidth, unless that is given. The
  // DRAM's bandwidth enters no formula.
  const bool derived =
      !is_dram && !((object.find("read_bandwidth") || object.find("read_bandwidth_limit")) &&
                    (object.find("write_bandwidth") || object.find("write_bandwidth_limit")));
  read_fields<MemoryLevel>(object, kLevelFields, level, [&](std::string_view key) {
    return (derived && (key == "blocksize" || key == "latency")) ||
           (is_row_buffer && key == "row_buffer_size");
  });
  read_limit(object, "read_bandwidth", level.read_bandwidth);
  read_limit(object, "write_bandwidth", level.write_bandwidth);
  if (const auto v = object.find("stores")) level.stores = read_stores(*v, stores_all);
  if (const auto v = object.find("bypass_defined")) level.bypass_free = !v->boolean();
  if (const auto v = object.find("ports")) level.shared_ports = v->choice(kPorts) == 1;
  return level;
}

std::vector<MemoryLevel> read_levels(const files::Value& value, const PeArray& pe) {
  static constexpr std::string_view kAllowed =
      "lists of 4 levels or more, innermost first: PE buffer, on-chip buffers, row buffer, DRAM";
  const std::vector<files::Value> items = value.list(kAllowed);
  if (items.size() < 4) value.fail("a list of " + std::to_string(items.size()), kAllowed);
  std::vector<MemoryLevel> levels;
  for (const files::Value& item : items) {
    MemoryLevel level = read_level(item, pe, levels.size(), items.size());
    if (std::any_of(levels.begin(), levels.end(),
                    [&](const MemoryLevel& other) { return other.name == level.name; })) {
      item.fail("a second level named '" + level.name + "'", "distinct names");
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

DramTimings read_timings(const files::Value& value) {
  static constexpr auto kKeys = keys_of(kTimingFields);
  DramTimings timings;
  read_fields<DramTimings>(value.object(kKeys), kTimingFields, timings);
  return timings;
}

Architecture architecture_of(const files::Value& value) {
  static constexpr auto kKeys = keys_of(kArchitectureFields);
  static constexpr std::array<std::string_view, 1> kKind{name(Kind::dram_pim)};
  static constexpr std::array<std::string_view, 2> kStreams{"separate", "shared"};
  if (const auto kind = value.get("kind")) static_cast<void>(kind->choice(kKind));
  const files::Object object = value.object(kKeys);
  Architecture a;
  if (const auto v = object.find("name")) a.name = v->text("names");
  a.pe_array = read_pe_array(object["pe_array"]);
  a.levels = read_levels(object["memory_hierarchy"], a.pe_array);
  if (const auto v = object.find("dram_timings")) a.dram_timings = read_timings(*v);
  if (const auto v = object.find("packing")) {
    a.packing = static_cast<Packing>(v->choice(kPackingNames));
  }
  if (const auto v = object.find("bits")) {
    const files::Object bits = v->object(kTensorNames);
    for (const Tensor t : kAllTensors) {
      if (const auto b = bits.find(name(t))) a.bits[index(t)] = b->integer(1, most_bits(a.packing));
    }
  }
  read_fields<Architecture>(object, kArchitectureFields, a);
  if (const auto v = object.find("input_order")) {
    a.input_order = static_cast<InputOrder>(v->choice(kInputOrderNames));
  }
  if (const auto v = object.find("dram_streams")) a.shared_streams = v->choice(kStreams) == 1;
  return a;
}

void validate_at(const files::Value& value, const Architecture& architecture) {
  try {
    validate(architecture);
  } catch (const InputError& error) {
    throw InputError(value.prefix() + error.what());
  }
}

}  // namespace

Architecture io::architecture_in(const files::Value& value) {
  Architecture architecture = architecture_of(value);
  validate_at(value, architecture);
  architecture.warnings = architecture_warnings(value, architecture);
  return architecture;
}

Architecture parse_architecture(std::string_view text, const std::string& label,
                                const std::vector<std::string>& changes) {
  files::Document document(text, label);
  files::change(document, changes, "pe_array.dim_h=16 or levels.GlobalBuffer.entries=256");
  const files::Value root(document, "architecture");
  Architecture architecture = architecture_of(root.unwrap("architecture"));
  architecture.name += files::name_of_changes(changes);
  validate_at(root, architecture);
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

}  // namespace pimbb::dram_pim
