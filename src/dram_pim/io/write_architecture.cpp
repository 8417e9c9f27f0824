// Architectures as JSON, by the tables that also read them.
#include <span>

#include "dram_pim/io/result_json.hpp"
#include "dram_pim/model/architecture_fields.hpp"

namespace pimbb::dram_pim::io {
namespace {

files::Json json_of(const Rational& value) { return files::exact_number(value); }
files::Json json_of(bool value) { return value; }
files::Json json_of(std::int64_t value) { return value; }

/// Writes a figure, unless it is optional and absent.
template <class Number>
void put(files::Json& json, std::string_view key, const Number& value) {
  json[std::string(key)] = json_of(value);
}
template <class Number>
void put(files::Json& json, std::string_view key, const std::optional<Number>& value) {
  if (value) put(json, key, *value);
}

/// Plain figures by their table; `by_hand` writes those that have a form of their own.
template <class Part, class ByHand>
files::Json part_json(const Part& part, std::span<const Field<Part>> fields,
                      const ByHand& by_hand) {
  files::Json json = files::Json::object();
  for (const Field<Part>& field : fields) {
    std::visit(
        [&](const auto member) {
          if constexpr (std::is_same_v<decltype(member), const std::monostate>) {
            by_hand(json, field.key);
          } else {
            put(json, field.key, part.*member);
          }
        },
        field.member);
  }
  return json;
}

files::Json pe_array_json(const PeArray& pe) {
  return part_json<PeArray>(pe, kPeFields, [&](files::Json& json, std::string_view key) {
    if (key == "unit_type") json[key] = kUnitTypeNames[static_cast<std::size_t>(pe.unit_type)];
    if (key == "internal_dim" && pe.internal_dim) json[key] = name(*pe.internal_dim);
  });
}

files::Json level_json(const Architecture& architecture, std::size_t m) {
  const MemoryLevel& level = architecture.levels[m];
  return part_json<MemoryLevel>(level, kLevelFields, [&](files::Json& json, std::string_view key) {
    if (key == "name") json[key] = level.name;
    if (key == "entries") json[key] = level.capacity.value_or(-1);
    if (key == "stores") json[key] = architecture.storable(m);
    if (key == "bypass_defined") json[key] = !level.bypass_free;
    if (key == "ports") json[key] = level.shared_ports ? "shared" : "separate";
  });
}

files::Json levels_json(const Architecture& architecture) {
  files::Json list = files::Json::array();
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    list.push_back(level_json(architecture, m));
  }
  return list;
}

files::Json timings_json(const DramTimings& timings) {
  return part_json<DramTimings>(timings, kTimingFields, [](files::Json&, std::string_view) {});
}

files::Json bits_json(const Architecture& architecture) {
  files::Json json = files::Json::object();
  for (const Tensor t : kAllTensors) json[std::string(name(t))] = architecture.bits[index(t)];
  return json;
}

}  // namespace

files::Json architecture_json(const Architecture& a) {
  return part_json<Architecture>(
      a, kArchitectureFields, [&](files::Json& json, std::string_view key) {
        if (key == "name") json[key] = a.name;
        if (key == "pe_array") json[key] = pe_array_json(a.pe_array);
        if (key == "memory_hierarchy") json[key] = levels_json(a);
        if (key == "dram_timings") json[key] = timings_json(a.dram_timings);
        if (key == "bits") json[key] = bits_json(a);
        if (key == "packing") json[key] = kPackingNames[static_cast<std::size_t>(a.packing)];
        if (key == "input_order")
          json[key] = kInputOrderNames[static_cast<std::size_t>(a.input_order)];
        if (key == "dram_streams" && a.shared_streams) json[key] = "shared";
        if (key == "kind") json[key] = "dram_pim";
      });
}

}  // namespace pimbb::dram_pim::io
