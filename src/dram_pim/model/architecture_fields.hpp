// The figures of an architecture: one row for each key of a file.
//
// The reader (io/read_architecture.cpp), validate() and the canonical form of proofs
// (proof/canonical.cpp) all go by these tables. A plain number or flag needs its row and nothing
// else there. Keys whose values have a shape or a rule of their own have a row without a member;
// these three places treat them by hand.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>

#include "pimbb/dram_pim/architecture.hpp"

namespace pimbb::dram_pim {

/// What numbers are allowed.
enum class Range : std::uint8_t { any, at_least_1, positive, not_negative };

template <class Part>
struct Field {
  using Member = std::variant<std::monostate, bool Part::*, std::int64_t Part::*,
                              std::optional<std::int64_t> Part::*, Rational Part::*,
                              std::optional<Rational> Part::*>;
  std::string_view key;
  Member member = {};
  Range range = Range::any;
  std::string_view canonical = {};  ///< its name in the canonical form; empty: not part of it
  bool required = false;            ///< in a file
  std::int64_t most = std::numeric_limits<std::int64_t>::max();  ///< of an integer in a file
};

/// Keeps products of three sizes of the PE array, or of bandwidth and ports, within int64.
inline constexpr std::int64_t kLargestCount = std::int64_t{1} << 20;

/// Of an element. Addresses in bits have less room.
constexpr std::int64_t most_bits(Packing packing) { return packing == Packing::bit ? 128 : 1024; }

inline constexpr std::array<Field<PeArray>, 7> kPeFields{{
    {"dim_h", &PeArray::height, Range::at_least_1, "height", true, kLargestCount},
    {"dim_w", &PeArray::width, Range::at_least_1, "width", true, kLargestCount},
    {"unit_type"},
    {"num_macs", &PeArray::num_macs, Range::at_least_1, "num_macs", false, kLargestCount},
    {"internal_dim"},
    {"mac_energy", &PeArray::mac_energy, Range::not_negative, "mac_energy", true},
    {"reduction_latency", &PeArray::reduction_latency, Range::not_negative, "reduction_latency"},
}};

inline constexpr std::array<Field<MemoryLevel>, 15> kLevelFields{{
    {"name"},
    {"entries"},
    {"blocksize", &MemoryLevel::blocksize, Range::at_least_1},
    {"instances", &MemoryLevel::instances, Range::at_least_1},
    {"latency", &MemoryLevel::latency, Range::positive},
    {"access_cost", &MemoryLevel::access_cost, Range::not_negative, "access_cost", true},
    {"stores"},
    {"bypass_defined"},
    {"num_banks", &MemoryLevel::num_banks, Range::at_least_1},
    {"row_buffer_size", &MemoryLevel::row_buffer_size, Range::at_least_1},
    {"read_bandwidth", &MemoryLevel::read_bandwidth, Range::positive},
    {"write_bandwidth", &MemoryLevel::write_bandwidth, Range::positive},
    {"num_read_ports", &MemoryLevel::num_read_ports, Range::at_least_1, {}, false, kLargestCount},
    {"num_write_ports", &MemoryLevel::num_write_ports, Range::at_least_1, {}, false, kLargestCount},
    {"ports"},
}};

inline constexpr std::array<Field<DramTimings>, 7> kTimingFields{{
    {"tRCDRD", &DramTimings::tRCDRD, Range::not_negative},
    {"tRP", &DramTimings::tRP, Range::not_negative},
    {"RL", &DramTimings::RL, Range::not_negative},
    {"WL", &DramTimings::WL, Range::not_negative},
    {"BL", &DramTimings::BL, Range::not_negative},
    {"co_w", &DramTimings::co_w, Range::not_negative},
    {"activation_latency", &DramTimings::activation_latency, Range::not_negative},
}};

inline constexpr std::array<Field<Architecture>, 14> kArchitectureFields{{
    {"name"},
    {"pe_array"},
    {"memory_hierarchy"},
    {"dram_timings"},
    {"bits"},
    {"packing"},
    {"psum_rereads", &Architecture::psum_rereads, Range::any, "psum_rereads"},
    {"interconnect_bandwidth", &Architecture::interconnect_bandwidth, Range::positive,
     "interconnect_bandwidth"},
    {"activation_energy", &Architecture::activation_energy, Range::not_negative,
     "activation_energy"},
    {"input_order"},
    {"dram_streams"},
    {"vault_count"},  // of the PIM optimizer: units of a device, io/read_device.cpp
    {"pu_count"},
    {"kind"},
}};

}  // namespace pimbb::dram_pim
