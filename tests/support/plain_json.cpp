// Field by field.
#include "support/plain_json.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace testkit {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;

/// Position of `text` in a table of names.
template <class Names>
std::size_t lookup(const Names& names, const std::string& text) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) throw std::invalid_argument("unknown name " + text);
  return static_cast<std::size_t>(found - names.begin());
}

std::optional<Rational> optional_number(const Json& json, const char* key) {
  if (!json.contains(key)) return std::nullopt;
  return number(json.at(key));
}

std::optional<std::int64_t> optional_integer(const Json& json, const char* key) {
  if (!json.contains(key)) return std::nullopt;
  return json.at(key).get<std::int64_t>();
}

MemoryLevel read_level(const Json& json) {
  MemoryLevel level;
  level.name = json.at("name");
  if (json.at("entries") != -1) level.capacity = json.at("entries").get<std::int64_t>();
  level.blocksize = json.value("blocksize", std::int64_t{1});
  level.instances = json.value("instances", std::int64_t{1});
  level.latency = optional_number(json, "latency").value_or(1);
  level.access_cost = optional_number(json, "access_cost").value_or(0);
  level.stores = json.at("stores").get<TensorFlags>();
  level.bypass_free = !json.value("bypass_defined", true);
  level.row_buffer_size = optional_integer(json, "row_buffer_size");
  level.num_banks = optional_integer(json, "num_banks");
  level.read_bandwidth = optional_number(json, "read_bandwidth");
  level.write_bandwidth = optional_number(json, "write_bandwidth");
  level.num_read_ports = json.value("num_read_ports", std::int64_t{1});
  level.num_write_ports = json.value("num_write_ports", std::int64_t{1});
  level.shared_ports = json.value("ports", "separate") == "shared";
  return level;
}

PeArray read_pe_array(const Json& json) {
  PeArray pe;
  pe.height = json.at("dim_h");
  pe.width = json.at("dim_w");
  pe.unit_type = static_cast<UnitType>(lookup(kUnitTypeNames, json.at("unit_type")));
  pe.num_macs = json.value("num_macs", std::int64_t{1});
  if (json.contains("internal_dim")) {
    pe.internal_dim = static_cast<Dim>(lookup(kDimNames, json.at("internal_dim")));
  }
  pe.mac_energy = optional_number(json, "mac_energy").value_or(0);
  pe.reduction_latency = optional_number(json, "reduction_latency").value_or(0);
  return pe;
}

/// Integers as integers, other decimals as the double whose shortest digits they are.
Json plain_number(const Rational& value) {
  if (value.is_integer()) return static_cast<std::int64_t>(value.to_double());
  return value.to_double();
}

Json write_level(const MemoryLevel& level) {
  Json json{{"name", level.name},
            {"entries", level.capacity.value_or(-1)},
            {"blocksize", level.blocksize},
            {"instances", level.instances},
            {"latency", plain_number(level.latency)},
            {"access_cost", plain_number(level.access_cost)},
            {"stores", level.stores},
            {"bypass_defined", !level.bypass_free}};
  if (level.row_buffer_size) json["row_buffer_size"] = *level.row_buffer_size;
  if (level.num_banks) json["num_banks"] = *level.num_banks;
  if (level.read_bandwidth) json["read_bandwidth"] = plain_number(*level.read_bandwidth);
  if (level.write_bandwidth) json["write_bandwidth"] = plain_number(*level.write_bandwidth);
  json["num_read_ports"] = level.num_read_ports;
  json["num_write_ports"] = level.num_write_ports;
  json["ports"] = level.shared_ports ? "shared" : "separate";
  return json;
}

}  // namespace

Rational number(const Json& value) { return Rational::parse(value.dump()); }

RowModel read_row_model(const std::string& name) {
  return static_cast<RowModel>(lookup(kRowModelNames, name));
}

Goal read_goal(const std::string& name) { return static_cast<Goal>(lookup(kGoalNames, name)); }

Architecture read_architecture(const Json& json) {
  Architecture a;
  a.name = json.value("name", a.name);
  a.pe_array = read_pe_array(json.at("pe_array"));
  for (const Json& level : json.at("memory_hierarchy")) a.levels.push_back(read_level(level));
  if (json.contains("dram_timings")) {
    const Json& timings = json.at("dram_timings");
    a.dram_timings.tRCDRD = optional_number(timings, "tRCDRD").value_or(14);
    a.dram_timings.tRP = optional_number(timings, "tRP").value_or(14);
    a.dram_timings.activation_latency = optional_number(timings, "activation_latency");
  }
  a.activation_energy = optional_number(json, "activation_energy").value_or(0);
  a.interconnect_bandwidth = optional_number(json, "interconnect_bandwidth");
  if (json.contains("bits")) {
    for (const Tensor t : kAllTensors) {
      a.bits[index(t)] = json.at("bits").value(std::string(name(t)), std::int64_t{8});
    }
  }
  if (json.value("packing", std::string("byte")) == "bit") a.packing = Packing::bit;
  a.psum_rereads = json.value("psum_rereads", false);
  a.shared_streams = json.value("dram_streams", std::string("separate")) == "shared";
  const std::string order = json.value("input_order", "nchw");
  if (order == "nhwc") a.input_order = InputOrder::nhwc;
  if (order == "free") a.input_order = InputOrder::free;
  return a;
}

Workload read_workload(const Json& json) {
  Workload w;
  w.name = json.value("name", w.name);
  for (const Dim j : kAllDims) {
    w.bounds[index(j)] = json.value(std::string(name(j)), std::int64_t{1});
  }
  if (json.contains("stride")) {
    w.stride_w = json.at("stride").at(0);
    w.stride_h = json.at("stride").at(1);
  }
  if (json.contains("dilation")) {
    w.dilation_w = json.at("dilation").at(0);
    w.dilation_h = json.at("dilation").at(1);
  }
  return w;
}

Mapping read_mapping(const Json& json, const Architecture& a) {
  Mapping m;
  for (const Direction d : kAllDirections) {
    for (const auto& [dim, factor] : json.at("spatial").at(std::string(name(d))).items()) {
      m.spatial[index(d)][lookup(kDimNames, dim)] = factor;
    }
  }
  for (std::size_t i = 0; i < a.levels.size(); ++i) {
    MappingLevel level;
    for (const Json& loop : json.at("temporal").at(i).at("loops")) {
      level.loops.push_back({static_cast<Dim>(lookup(kDimNames, loop.at(0))), loop.at(1)});
    }
    for (const Json& tensor : json.at("stores").at(a.levels[i].name)) {
      level.stores[lookup(kTensorNames, tensor)] = true;
    }
    m.levels.push_back(level);
  }
  for (const Tensor t : kAllTensors) {
    m.layout[index(t)] =
        static_cast<Layout>(lookup(kLayoutNames, json.at("layout").at(std::string(name(t)))));
  }
  if (json.contains("input_block")) {
    m.input_block = {json.at("input_block").at("h"), json.at("input_block").at("w")};
  }
  return m;
}

Json write(const Architecture& a) {
  Json pe{{"dim_h", a.pe_array.height},
          {"dim_w", a.pe_array.width},
          {"unit_type", kUnitTypeNames[static_cast<std::size_t>(a.pe_array.unit_type)]},
          {"num_macs", a.pe_array.num_macs},
          {"mac_energy", plain_number(a.pe_array.mac_energy)},
          {"reduction_latency", plain_number(a.pe_array.reduction_latency)}};
  if (a.pe_array.internal_dim) pe["internal_dim"] = name(*a.pe_array.internal_dim);
  Json json{{"name", a.name}, {"pe_array", pe}, {"memory_hierarchy", Json::array()}};
  for (const MemoryLevel& level : a.levels) json["memory_hierarchy"].push_back(write_level(level));
  Json timings{{"tRCDRD", plain_number(a.dram_timings.tRCDRD)},
               {"tRP", plain_number(a.dram_timings.tRP)}};
  if (a.dram_timings.activation_latency) {
    timings["activation_latency"] = plain_number(*a.dram_timings.activation_latency);
  }
  json["dram_timings"] = timings;
  json["activation_energy"] = plain_number(a.activation_energy);
  if (a.interconnect_bandwidth) {
    json["interconnect_bandwidth"] = plain_number(*a.interconnect_bandwidth);
  }
  for (const Tensor t : kAllTensors) json["bits"][std::string(name(t))] = a.bits[index(t)];
  if (a.packing == Packing::bit) json["packing"] = "bit";
  if (a.shared_streams) json["dram_streams"] = "shared";
  json["psum_rereads"] = a.psum_rereads;
  json["input_order"] = name(a.input_order);
  return json;
}

Json write(const Workload& w) {
  Json json{{"name", w.name}};
  for (const Dim j : kAllDims) json[std::string(name(j))] = w.bounds[index(j)];
  json["stride"] = {w.stride_w, w.stride_h};
  json["dilation"] = {w.dilation_w, w.dilation_h};
  return json;
}

Json write(const Mapping& m, const Architecture& a) {
  Json json;
  for (const Direction d : kAllDirections) {
    Json& factors = json["spatial"][std::string(name(d))] = Json::object();
    for (const Dim j : kAllDims) {
      if (m.spatial[index(d)][index(j)] > 1) {
        factors[std::string(name(j))] = m.spatial[index(d)][index(j)];
      }
    }
  }
  json["temporal"] = Json::array();
  for (std::size_t i = 0; i < m.levels.size(); ++i) {
    Json loops = Json::array();
    for (const Loop& loop : m.levels[i].loops) loops.push_back({name(loop.dim), loop.factor});
    json["temporal"].push_back({{"level", a.levels[i].name}, {"loops", loops}});
  }
  for (std::size_t i = 0; i < m.levels.size(); ++i) {
    Json& stores = json["stores"][a.levels[i].name] = Json::array();
    for (const Tensor t : kAllTensors) {
      if (m.levels[i].stores[index(t)]) stores.push_back(name(t));
    }
  }
  for (const Tensor t : kAllTensors) {
    json["layout"][std::string(name(t))] =
        kLayoutNames[static_cast<std::size_t>(m.layout[index(t)])];
  }
  if (m.layout[0] == Layout::row_aligned) {
    json["input_block"] = {{"h", m.input_block.h}, {"w", m.input_block.w}};
  } else if (a.input_order == InputOrder::free) {
    json["input_order"] = name(m.input_order);
  }
  return json;
}

std::vector<Json> golden_lines(const std::string& file) {
  const char* shared = std::getenv("PIMBB_SHARED");
  std::ifstream stream(shared != nullptr ? std::string(shared) + "/golden/" + file : file);
  std::vector<Json> lines;
  if (shared != nullptr) {
    for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  }
  if (lines.empty()) std::cerr << "skipped: no golden/" << file << " under $PIMBB_SHARED\n";
  return lines;
}

}  // namespace testkit
