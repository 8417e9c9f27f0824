// Device files: every key, defaults, units, and messages about bad input.
#include <doctest/doctest.h>

#include <string>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "support/folder.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

constexpr std::string_view kDevice = R"(device:
  name: stack
  unit: hbm_pim
  capacity: 33554432
  cycle: 0.5
  static_power: 1.5
  launch: 400
  refresh: {interval: 3900, duration: 350}
  phases: overlapped
  host: {reduce_energy: 0.25, reduce_bandwidth: 2}
  levels:
    - {name: unit, count: 8, write_bandwidth: 8, read_bandwidth: 16, broadcast: true, lockstep: true,
       energy: 0.02872, latency: 3, reduce: true, reduce_energy: 0.5, dims: [K, C]}
    - {name: channel, count: 16}
)";

std::string edited(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  try {
    parse_device(text, "d.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("device files: every key") {
  const Device d = parse_device(kDevice, "d.yaml");
  CHECK(d.name == "stack");
  CHECK(d.unit.name == "hbm_pim");
  CHECK(d.unit.levels.back().capacity == 33554432);
  CHECK(d.cycle == Rational(1, 2));
  CHECK(d.static_power == Rational(3, 2));
  CHECK(d.launch == 400);
  CHECK(d.stretch() == Rational(3900, 3550));
  CHECK(d.phases == Phases::overlapped);
  CHECK(d.host_reduce_energy == Rational(1, 4));
  CHECK(d.host_reduce_bandwidth == Rational(2));
  REQUIRE(d.levels.size() == 2);
  const DeviceLevel& unit = d.levels[0];
  CHECK(unit.name == "unit");
  CHECK(unit.count == 8);
  CHECK(unit.write_bandwidth == Rational(8));
  CHECK(unit.read_bandwidth == Rational(16));
  CHECK((unit.broadcast && unit.lockstep && unit.reduce));
  CHECK(unit.energy == Rational(2872, 100000));
  CHECK(unit.latency == 3);
  CHECK(unit.reduce_energy == Rational(1, 2));
  CHECK(unit.dims == DimFlags{false, false, false, false, true, true, false, false});
  CHECK(d.units() == 128);
}

TEST_CASE("device files: what is left out has the documented default") {
  const Device d = parse_device("{unit: upmem, levels: [{name: dpu, count: 4}]}", "d.yaml");
  CHECK(d.name == "device");
  CHECK(d.unit.levels.back().capacity == 67108864);
  CHECK_FALSE(d.cycle.has_value());
  CHECK(d.static_power == 0);
  CHECK(d.launch == 0);
  CHECK(d.stretch() == 1);
  CHECK(d.phases == Phases::sequential);
  CHECK_FALSE(d.host_reduce_bandwidth.has_value());
  const DeviceLevel& level = d.levels.at(0);
  CHECK_FALSE((level.broadcast || level.lockstep || level.reduce));
  CHECK_FALSE(level.write_bandwidth.has_value());
  CHECK(level.dims == kAllDimFlags);
  REQUIRE(d.warnings.size() == 1);
  CHECK(d.warnings[0].find("no level has a bandwidth") != std::string::npos);
  CHECK(parse_device("{unit: upmem, levels: []}", "d.yaml").levels.empty());
  CHECK_FALSE(parse_device("{unit: upmem, capacity: -1, levels: []}", "d.yaml")
                  .unit.levels.back()
                  .capacity.has_value());
}

TEST_CASE("device files: units in place, of a file beside it, and of the PIM optimizer") {
  const texts::Folder folder;
  const std::string unit(texts::kSmallArchitecture);
  folder.write("unit.yaml", unit);
  const Device beside = read_device(folder.write("device.yaml", "{unit: unit.yaml, levels: []}"));
  CHECK(beside.unit.pe_array.height == 8);
  std::string indented = "device:\n  levels: []\n  unit:\n";
  std::string line;
  for (const char c : unit + "\n") {
    if (c != '\n') {
      line += c;
      continue;
    }
    if (!line.empty()) indented += "    " + line + "\n";
    line.clear();
  }
  CHECK(parse_device(indented, "d.yaml").unit.pe_array.height == 8);
  const Device counted = parse_device(unit + "\nvault_count: 16\npu_count: 2\n", "d.yaml");
  REQUIRE(counted.levels.size() == 2);
  CHECK(counted.levels[0].name == "pu");
  CHECK(counted.levels[0].count == 2);
  CHECK(counted.levels[1].count == 16);
  CHECK_FALSE(counted.levels[1].write_bandwidth.has_value());
}

TEST_CASE("device presets are well formed, and state what is not confirmed") {
  const std::vector<std::string> presets = device_presets();
  CHECK(presets.size() == 4);
  for (const std::string& preset : presets) {
    CAPTURE(preset);
    const Device d = read_device(preset);
    CHECK(d.name == preset);
    CHECK(d.warnings.empty());
    CHECK(d.unit.levels.back().capacity.has_value());
  }
  CHECK(read_device("hbm_pim_stack").units() == 128);
  CHECK(read_device("hbm_pim_stack").unit.shared_streams);
  CHECK(read_device("gddr6_aim_sdk_chip").unit.activation_cycles() == 94);
  CHECK_FALSE(read_device("upmem_dimm").unit.shared_streams);
  CHECK(read_device("upmem_dimm", {"launch=7", "levels.rank.count=3"}).units() == 192);
}

TEST_CASE("device files: bad input names place, key, what was found and what is allowed") {
  struct Refusal {
    std::string from, to, place, key, message;
  };
  const std::vector<Refusal> refusals{
      {"count: 16", "count: 0", ":14:", "levels[1].count", "found 0, allowed are integers >= 1"},
      {"count: 16", "count: 1.5", ":14:", "levels[1].count", "found 1.5, allowed are integers"},
      {"write_bandwidth: 8", "write_bandwidth: 0", ":12:", "levels[0].write_bandwidth",
       "found 0, allowed are numbers > 0"},
      {"energy: 0.02872", "energy: -1", ":13:", "levels[0].energy",
       "found -1, allowed are numbers >= 0"},
      {"latency: 3", "latency: -3", ":13:", "levels[0].latency", "allowed are numbers >= 0"},
      {"launch: 400", "launch: -4", ":7:", "launch", "found -4, allowed are numbers >= 0"},
      {"duration: 350", "duration: 3900", ":8:", "refresh.duration",
       "found 3900, allowed are numbers below the interval, 3900"},
      {"name: channel", "name: unit", ":14:", "levels[1]",
       "found a second level named 'unit', allowed are distinct names"},
      {"[K, C]", "[K, X]", ":13:", "levels[0].dims[1]", "found X, allowed are R, S, P"},
      {"[K, C]", "[K, K]", ":13:", "levels[0].dims[1]", "found a dimension a second time: K"},
      {"overlapped", "overlaid", ":9:", "phases", "allowed are sequential, overlapped"},
      {"capacity: 33554432", "capacity: 0", ":4:", "capacity", "found 0, allowed are bytes >= 1"},
      {"launch: 400", "lunch: 400", ":7:", "lunch", "did you mean 'launch'?"},
      {"unit: hbm_pim\n", "unit: upmem_dimm\n", ":3:", "unit", "found the device upmem_dimm"},
      {"unit: hbm_pim\n", "unit: {unit: upmem, levels: []}\n", ":3:", "unit", "found a device"},
      {"unit: hbm_pim\n", "unit: nothing\n", ":3:", "unit", "found nothing, allowed are presets"},
      {"count: 16", "count: 9223372036854775807", ":2:", "levels", "a product of counts beyond"},
  };
  for (const Refusal& r : refusals) {
    CAPTURE(r.to);
    const std::string message = error_of(edited(std::string(kDevice), r.from, r.to));
    CAPTURE(message);
    CHECK(message.starts_with("d.yaml" + r.place));
    CHECK(message.find(r.key) != std::string::npos);
    CHECK(message.find(r.message) != std::string::npos);
  }
}
