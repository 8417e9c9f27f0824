// Valid files for tests to read, edit and break.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "support/folder.hpp"

namespace texts {

// Every key of the format, each with a value that is not its default.
inline constexpr std::string_view kArchitecture = R"(architecture:
  name: full
  pe_array: {dim_h: 4, dim_w: 2, unit_type: tensor_core, num_macs: 16, internal_dim: C,
             mac_energy: 0.00056, reduction_latency: 3}
  memory_hierarchy:
    - name: PE
      entries: 64
      blocksize: 4
      instances: 8
      latency: 1.5
      access_cost: 0.001
      stores: [true, false, true]
      bypass_defined: false
    - name: GB
      entries: 4096
      blocksize: 8
      instances: 2
      latency: 2
      access_cost: 0.01
      stores: [true, true, true]
      bypass_defined: true
      read_bandwidth: 32
      write_bandwidth: 1.6e1
      num_read_ports: 2
      num_write_ports: 3
      ports: shared
    - {name: RB, entries: 1024, blocksize: 32, latency: 1, access_cost: 0.02,
       stores: [true, true, true], row_buffer_size: 1024, num_banks: 4}
    - {name: DRAM, entries: -1, access_cost: 0.1, row_buffer_size: 1024, num_banks: 4}
  dram_timings: {tRCDRD: 10, tRP: 11, RL: 12, WL: 13, BL: 4, co_w: 128, activation_latency: 20.5}
  bits: {input: 4, weight: 9, output: 32}
  packing: bit
  psum_rereads: true
  interconnect_bandwidth: 128
  activation_energy: 0.9
  input_order: nhwc
  dram_streams: shared
)";

// As little as the format allows.
inline constexpr std::string_view kSmallArchitecture = R"(
pe_array: {dim_h: 8, dim_w: 4, unit_type: scalar, mac_energy: 1}
memory_hierarchy:
  - {name: PE, entries: 16, blocksize: 1, latency: 1, access_cost: 0, stores: [true, true, true]}
  - {name: GB, entries: 128, blocksize: 4, latency: 2, access_cost: 0, stores: [true, true, true]}
  - {name: RB, entries: 1024, blocksize: 16, latency: 1, access_cost: 0, row_buffer_size: 1024}
  - {name: DRAM, entries: -1, access_cost: 0}
)";

inline constexpr std::string_view kWorkload = R"({"workload": {"name": "conv", "R": 3, "S": 2,
  "P": 8, "Q": 4, "C": 16, "K": 32, "N": 5, "stride": [2, 1], "dilation": [1, 3], "weight": 0.25}}
)";

inline constexpr std::string_view kNetwork = R"(network:
  name: pair
  layers:
    - {name: first, R: 3, S: 3, P: 8, Q: 8, C: 4, K: 8, N: 1, repetitions: 2}
    - {name: "then:second", R: 1, S: 1, P: 8, Q: 8, C: 8, K: 8, N: 1, stride: [2, 2]}
)";

inline constexpr std::string_view kMapping = R"({"spatial": {"H": {"K": 8}, "W": {"C": 4}},
 "temporal": [
   {"level": "DRAM", "loops": [["P", 2], ["N", 1], ["Q", 4]]},
   {"level": "PE", "loops": [["C", 2], ["R", 3]]},
   {"level": "GB", "loops": []}],
 "stores": {"PE": ["output"], "GB": ["weight", "input"]},
 "layout": {"input": "row_aligned", "weight": "sequential", "output": "row_aligned"},
 "input_block": {"h": 10, "w": 5}}
)";

/// `text` with its one occurrence of `from` replaced.
inline std::string edit(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string_view::npos);
  REQUIRE(text.find(from, at + 1) == std::string_view::npos);
  return std::string(text.substr(0, at)) + std::string(to) +
         std::string(text.substr(at + from.size()));
}

/// The message of the InputError that `read` throws; empty, and a failure, if it does not.
template <class Read>
std::string error_of(Read&& read) {
  try {
    read();
  } catch (const pimbb::InputError& error) {
    return error.what();
  }
  FAIL_CHECK("nothing was refused");
  return {};
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Without the warning that it has no timings.
inline pimbb::dram_pim::Architecture small_architecture() {
  auto architecture = pimbb::dram_pim::parse_architecture(kSmallArchitecture, "a.yaml");
  architecture.warnings.clear();
  return architecture;
}

}  // namespace texts
