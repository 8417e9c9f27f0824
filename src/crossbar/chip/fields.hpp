// The figures of an architecture as tables: key, range, and whether a file may leave it out. The
// reader and the validation follow from them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "pimbb/crossbar/architecture.hpp"

namespace pimbb::crossbar::chip {

/// The member that a path of members leads to.
template <auto... path>
auto& figure(Architecture& a) {
  return (a.*....*path);
}

struct IntegerField {
  std::string_view group;  ///< the map inside the file; empty: the outermost one
  std::string_view key;
  std::int64_t least;
  std::int64_t most;
  bool optional;  ///< absent: the value that the member has
  std::int64_t& (*member)(Architecture&);
};

inline constexpr std::array<IntegerField, 16> kIntegerFields{{
    {"", "chips", 1, kMaxCount, false, figure<&Architecture::chips>},
    {"", "cores", 1, kMaxCount, false, figure<&Architecture::cores>},
    {"core", "crossbars", 1, kMaxCount, false, figure<&Architecture::core, &Core::crossbars>},
    {"core", "rows", 1, kMaxCount, false, figure<&Architecture::core, &Core::rows>},
    {"core", "columns", 1, kMaxCount, false, figure<&Architecture::core, &Core::columns>},
    {"core", "slices", 1, kMaxCount, true, figure<&Architecture::core, &Core::slices>},
    {"core", "cell_bits", 1, kMaxBits, false, figure<&Architecture::core, &Core::cell_bits>},
    {"core", "max_nodes", 1, kMaxCount, false, figure<&Architecture::core, &Core::max_nodes>},
    {"core", "vector_bytes", 1, kMaxTime, false, figure<&Architecture::core, &Core::vector_bytes>},
    {"core", "vector_time", 0, kMaxPassTime, false,
     figure<&Architecture::core, &Core::vector_time>},
    {"core", "local_memory", 0, std::int64_t{1} << 50, false,
     figure<&Architecture::core, &Core::local_memory>},
    {"bits", "activation", 1, kMaxBits, false, figure<&Architecture::bits, &Bits::activation>},
    {"bits", "weight", 1, kMaxBits, false, figure<&Architecture::bits, &Bits::weight>},
    {"mvm", "time", 1, kMaxTime, false, figure<&Architecture::mvm, &Mvm::time>},
    {"mvm", "interval", 1, kMaxTime, false, figure<&Architecture::mvm, &Mvm::interval>},
    {"power", "cores_per_router", 1, kMaxCount, false,
     figure<&Architecture::power, &Power::cores_per_router>},
}};

struct RationalField {
  std::string_view group;
  std::string_view key;
  bool positive;  ///< else 0 is allowed as well
  bool optional;
  Rational& (*member)(Architecture&);
};

inline constexpr std::array<RationalField, 11> kRationalFields{{
    {"bandwidth", "memory", true, false, figure<&Architecture::bandwidth, &Bandwidth::memory>},
    {"bandwidth", "bus", true, false, figure<&Architecture::bandwidth, &Bandwidth::bus>},
    {"bandwidth", "link", true, false, figure<&Architecture::bandwidth, &Bandwidth::link>},
    {"power", "crossbar", false, false, figure<&Architecture::power, &Power::crossbar>},
    {"power", "vector", false, false, figure<&Architecture::power, &Power::vector>},
    {"power", "local", false, false, figure<&Architecture::power, &Power::local>},
    {"power", "control", false, false, figure<&Architecture::power, &Power::control>},
    {"power", "router", false, false, figure<&Architecture::power, &Power::router>},
    {"power", "memory", false, false, figure<&Architecture::power, &Power::memory>},
    {"power", "link", false, false, figure<&Architecture::power, &Power::link>},
    {"power", "leak", false, true, figure<&Architecture::power, &Power::leak>},
}};

/// "core.rows", or "chips".
inline std::string full_key(std::string_view group, std::string_view key) {
  return group.empty() ? std::string(key) : std::string(group) + "." + std::string(key);
}

}  // namespace pimbb::crossbar::chip
