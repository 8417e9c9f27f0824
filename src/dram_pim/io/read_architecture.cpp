// Architecture files: every key of the format, its range and its default.
#include <algorithm>

#include "dram_pim/io/architecture_presets.hpp"
#include "files/kind.hpp"
#include "files/value.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

/// Keeps products of three sizes of the PE array, or of bandwidth and ports, within int64.
constexpr std::int64_t kLargestCount = std::int64_t{1} << 20;
constexpr std::int64_t kMostBits = 1024;

PeArray read_pe_array(const files::Value& value) {
  static constexpr std::array<std::string_view, 7> kKeys{
      "dim_h", "dim_w", "unit_type", "num_macs", "internal_dim", "mac_energy", "reduction_latency"};
  const files::Object object = value.object(kKeys);
  PeArray pe;
  pe.height = object["dim_h"].integer(1, kLargestCount);
  pe.width = object["dim_w"].integer(1, kLargestCount);
  pe.unit_type = static_cast<UnitType>(object["unit_type"].choice(kUnitTypeNames));
  pe.mac_energy = object["mac_energy"].not_negative();
  if (const auto v = object.find("num_macs")) pe.num_macs = v->integer(1, kLargestCount);
  if (const auto v = object.find("reduction_latency")) pe.reduction_latency = v->not_negative();
  if (const auto v = object.find("internal_dim")) {
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

/// What a level's own latency and block size are for: its bandwidth, unless that is given. The
/// DRAM's bandwidth enters no formula.
void read_bandwidth(const files::Object& object, bool is_dram, MemoryLevel& level) {
  if (const auto v = object.find("read_bandwidth")) level.read_bandwidth = v->positive();
  if (const auto v = object.find("write_bandwidth")) level.write_bandwidth = v->positive();
  const bool derived = !is_dram && !(level.read_bandwidth && level.write_bandwidth);
  if (derived || object.find("blocksize")) level.blocksize = object["blocksize"].integer(1);
  if (derived || object.find("latency")) level.latency = object["latency"].positive();
}

MemoryLevel read_level(const files::Value& value, const PeArray& pe, std::size_t m,
                       std::size_t count) {
  static constexpr std::array<std::string_view, 15> kKeys{
      "name",           "entries",         "blocksize",      "instances",       "latency",
      "access_cost",    "stores",          "bypass_defined", "num_banks",       "row_buffer_size",
      "read_bandwidth", "write_bandwidth", "num_read_ports", "num_write_ports", "ports"};
  static constexpr std::array<std::string_view, 2> kPorts{"separate", "shared"};
  const bool is_dram = m + 1 == count;
  const bool is_row_buffer = m + 2 == count;
  const bool stores_all = is_dram || is_row_buffer;
  const files::Object object = value.object(kKeys);

  MemoryLevel level;
  level.name = object["name"].text("names");
  const std::int64_t entries = object["entries"].integer(-1);
  if (entries >= 0) level.capacity = entries;
  level.access_cost = object["access_cost"].not_negative();
  if (!stores_all || object.find("stores")) {
    level.stores = read_stores(object["stores"], stores_all);
  }
  read_bandwidth(object, is_dram, level);
  level.instances = m == 0 ? pe.height * pe.width : 1;
  if (const auto v = object.find("instances")) level.instances = v->integer(1);
  if (const auto v = object.find("bypass_defined")) level.bypass_free = !v->boolean();
  if (const auto v = object.find("num_banks")) level.num_banks = v->integer(1);
  if (is_row_buffer || object.find("row_buffer_size")) {
    level.row_buffer_size = object["row_buffer_size"].integer(1);
  }
  if (const auto v = object.find("num_read_ports")) {
    level.num_read_ports = v->integer(1, kLargestCount);
  }
  if (const auto v = object.find("num_write_ports")) {
    level.num_write_ports = v->integer(1, kLargestCount);
  }
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
  static constexpr std::array<std::string_view, 7> kKeys{
      "tRCDRD", "tRP", "RL", "WL", "BL", "co_w", "activation_latency"};
  const files::Object object = value.object(kKeys);
  DramTimings timings;
  const auto read = [&](std::string_view key, Rational& timing) {
    if (const auto v = object.find(key)) timing = v->not_negative();
  };
  read("tRCDRD", timings.tRCDRD);
  read("tRP", timings.tRP);
  read("RL", timings.RL);
  read("WL", timings.WL);
  read("BL", timings.BL);
  read("co_w", timings.co_w);
  if (const auto v = object.find("activation_latency")) {
    timings.activation_latency = v->not_negative();
  }
  return timings;
}

Architecture architecture_of(const files::Value& value) {
  static constexpr std::array<std::string_view, 10> kKeys{
      "name",        "pe_array",     "memory_hierarchy",       "dram_timings",
      "bits",        "psum_rereads", "interconnect_bandwidth", "activation_energy",
      "input_order", "kind"};
  static constexpr std::array<std::string_view, 2> kInputOrders{"nchw", "nhwc"};
  (void)files::read_kind(value);  // of the kinds that are known this is the only one
  const files::Object object = value.object(kKeys);
  Architecture a;
  if (const auto v = object.find("name")) a.name = v->text("names");
  a.pe_array = read_pe_array(object["pe_array"]);
  a.levels = read_levels(object["memory_hierarchy"], a.pe_array);
  if (const auto v = object.find("dram_timings")) a.dram_timings = read_timings(*v);
  if (const auto v = object.find("bits")) {
    const files::Object bits = v->object(kTensorNames);
    for (const Tensor t : kAllTensors) {
      if (const auto b = bits.find(name(t))) a.bits[index(t)] = b->integer(1, kMostBits);
    }
  }
  if (const auto v = object.find("psum_rereads")) a.psum_rereads = v->boolean();
  if (const auto v = object.find("interconnect_bandwidth")) {
    a.interconnect_bandwidth = v->positive();
  }
  if (const auto v = object.find("activation_energy")) a.activation_energy = v->not_negative();
  if (const auto v = object.find("input_order")) {
    a.input_order = static_cast<InputOrder>(v->choice(kInputOrders));
  }
  return a;
}

}  // namespace

Architecture parse_architecture(std::string_view text, const std::string& label) {
  const files::Document document(text, label);
  const files::Value root(document, "architecture");
  Architecture architecture = architecture_of(root.unwrap("architecture"));
  try {
    validate(architecture);
  } catch (const InputError& error) {
    throw InputError(root.prefix() + error.what());
  }
  return architecture;
}

Architecture read_architecture(const std::string& source) {
  const files::Source file = io::architecture_table().load(source);
  return parse_architecture(file.text, file.label);
}

std::vector<std::string> architecture_presets() { return io::architecture_table().names(); }

}  // namespace pimbb::dram_pim
