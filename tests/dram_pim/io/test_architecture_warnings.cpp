// What architecture files say in vain: each case adds one such thing to a file without any.
#include <doctest/doctest.h>

#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using texts::contains;
using texts::edit;

namespace {

constexpr std::string_view kClean = R"(name: clean
pe_array: {dim_h: 8, dim_w: 4, unit_type: scalar, mac_energy: 1}
memory_hierarchy:
  - {name: PE, entries: 16, blocksize: 1, latency: 1, access_cost: 0, stores: [false, false, true]}
  - {name: GB, entries: 1536, access_cost: 0, stores: [true, true, true],
     read_bandwidth: 2, write_bandwidth: 2}
  - {name: RB, entries: 512, blocksize: 16, latency: 1, access_cost: 0, row_buffer_size: 512,
     num_banks: 4}
  - {name: DRAM, entries: -1, access_cost: 0}
dram_timings: {tRCDRD: 10, tRP: 9}
bits: {input: 8, weight: 16, output: 32}
)";

std::vector<std::string> warnings(const std::string& text) {
  return parse_architecture(text, "a.yaml").warnings;
}

struct Vain {
  const char* from;
  const char* to;
  const char* place;
  const char* message;
};

constexpr Vain kVain[] = {
    // Keys that enter no formula.
    {"PE, entries: 16,", "PE, entries: 16, instances: 32,",
     "a.yaml:4:40: memory_hierarchy[0].instances: ", "enters no formula"},
    {"DRAM, entries: -1,", "DRAM, entries: -1, latency: 25,",
     ":9:40: memory_hierarchy[3].latency: ", "enters no formula at the DRAM"},
    {"DRAM, entries: -1,", "DRAM, entries: -1, ports: shared,",
     ":9:38: memory_hierarchy[3].ports: ", "enters no formula at the DRAM"},
    {"DRAM, entries: -1,", "DRAM, entries: -1, read_bandwidth_limit: 4,",
     "memory_hierarchy[3].read_bandwidth_limit: ", "enters no formula at the DRAM"},
    {"PE, entries: 16,", "PE, entries: 16, read_bandwidth_limit: 4,",
     "memory_hierarchy[0].read_bandwidth_limit: ", "where no input or weight is stored"},
    {"DRAM, entries: -1,", "DRAM, entries: -1, num_banks: 4,",
     "num_banks: ", "enters no formula: the row buffer's does"},
    {"GB, entries: 1536,", "GB, entries: 1536, blocksize: 8,",
     "memory_hierarchy[1].blocksize: ", "enters no formula where both bandwidths are given"},
    {"GB, entries: 1536,", "GB, entries: 1536, num_banks: 8,",
     "memory_hierarchy[1].num_banks: ", "enters no formula on this level"},
    {"PE, entries: 16,", "PE, entries: 16, num_read_ports: 2,",
     "memory_hierarchy[0].num_read_ports: ",
     "enters no formula where no input or weight is stored"},
    {"RB, entries: 512,", "RB, entries: 512, ports: shared,",
     "memory_hierarchy[2].ports: ", "enters no formula"},
    {"tRP: 9}", "tRP: 9, RL: 25}", ":10:40: dram_timings.RL: ", "enters no formula"},
    {"tRP: 9}", "activation_latency: 25}",
     "dram_timings.tRCDRD: ", "enters no formula where activation_latency is given"},
    {"mac_energy: 1}", "mac_energy: 1, internal_dim: C}",
     "pe_array.internal_dim: ", "enters no formula but that of the unit type tensor_core"},
    {"mac_energy: 1}", "mac_energy: 1, reduction_latency: 3}",
     "pe_array.reduction_latency: ", "the unit type scalar reduces nothing"},
    // Contradictions.
    {"mac_energy: 1}", "mac_energy: 1, num_macs: 4}",
     ":2:76: pe_array.num_macs: ", "4 MACs, but a PE of the unit type scalar uses one"},
    {"PE, entries: 16,", "PE, entries: 16, instances: 31,",
     "memory_hierarchy[0].instances: ", "31 of them, but the array has 32 PEs"},
    {"GB, entries: 1536,", "GB, entries: 1536, instances: 2,",
     "memory_hierarchy[1].instances: ", "2 of them, but there is one"},
    {"row_buffer_size: 512", "row_buffer_size: 8192",
     "memory_hierarchy[2].row_buffer_size: ", "a row of 8192 bytes in a row buffer of 512"},
    {"DRAM, entries: -1,", "DRAM, entries: -1, row_buffer_size: 1024,",
     "memory_hierarchy[3].row_buffer_size: ", "1024, but the row buffer says 512, which counts"},
    {"DRAM, entries: -1,", "DRAM, entries: -1, num_banks: 1,",
     "memory_hierarchy[3].num_banks: ", "1, but the row buffer says 4, which counts"},
    {"DRAM, entries: -1,", "DRAM, entries: -1, bypass_defined: false,",
     "memory_hierarchy[3].bypass_defined: ", "false, but every tensor is stored here"},
    // A row buffer that starves a buffer inside it.
    {"entries: 1536", "entries: 4096", ":7:25: memory_hierarchy[2].entries: ",
     "'GB' can use 1536 of its 4096 bytes; -1 if data stream through"},
    {"entries: 1536", "entries: -1",
     "memory_hierarchy[2].entries: ", "'GB' can use 1536 of any number of bytes"},
    // Rounding and defaults.
    {"weight: 16", "weight: 4", ":11:26: bits.weight: ", "4 bits take 8 with packing: byte"},
    {"tRP: 9}", "}", ":10:15: dram_timings: ", "tRP is missing, 14 cycles are assumed"},
};

}  // namespace

TEST_CASE("what a file says in vain is warned of, with its place") {
  CHECK(warnings(std::string(kClean)).empty());
  for (const Vain& vain : kVain) {
    CAPTURE(vain.to);
    const std::vector<std::string> found = warnings(edit(kClean, vain.from, vain.to));
    REQUIRE(found.size() == 1);
    CAPTURE(found[0]);
    CHECK(contains(found[0], "a.yaml:"));
    CHECK(contains(found[0], vain.place));
    CHECK(contains(found[0], vain.message));
  }
}

TEST_CASE("a key that several levels have is warned of once") {
  std::string text = edit(kClean, "PE, entries: 16,", "PE, entries: 16, instances: 32,");
  text = edit(text, "GB, entries: 1536,", "GB, entries: 1536, instances: 1,");
  text = edit(text, "RB, entries: 512,", "RB, entries: 512, instances: 1,");
  const std::vector<std::string> found = warnings(text);
  REQUIRE(found.size() == 1);
  CHECK(found[0] ==
        "a.yaml:4:40: memory_hierarchy[0].instances: enters no formula (also in line 5, 7)");
}

TEST_CASE("bits are not rounded where elements are packed") {
  const std::string text = edit(kClean, "weight: 16", "weight: 3");
  CHECK(warnings(text).size() == 1);
  CHECK(warnings(text + "packing: bit\n").empty());
}

TEST_CASE("no timings at all") {
  const std::vector<std::string> found =
      warnings(edit(kClean, "dram_timings: {tRCDRD: 10, tRP: 9}\n", ""));
  REQUIRE(found.size() == 2);
  CHECK(contains(found[0], "a.yaml:1:1: "));
  CHECK(contains(found[0], "tRCDRD is missing, 14 cycles are assumed"));
}

TEST_CASE("the presets say nothing in vain") {
  for (const std::string& preset : architecture_presets()) {
    CAPTURE(preset);
    const Architecture a = read_architecture(preset);
    CHECK(a.warnings == std::vector<std::string>{});
  }
}
