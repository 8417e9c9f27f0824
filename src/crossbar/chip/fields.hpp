// The figures of an architecture as tables: key, range, and whether a file may leave it out. The
// reader and the validation follow from them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "pimbb/crossbar/architecture.hpp"

namespace pimbb::crossbar::chip {

struct IntegerField {
  std::string_view group;  ///< the map inside the file; empty: the outermost one
  std::string_view key;
  std::int64_t least;
  std::int64_t most;
  bool optional;  ///< absent: the value that the member has
  std::int64_t& (*member)(Architecture&);
};

using A = Architecture;

inline constexpr std::array<IntegerField, 16> kIntegerFields{
    {{"", "chips", 1, kMaxCount, false, [](A& a) -> auto& {return a.chips;
}  // namespace pimbb::crossbar::chip
}
, {"", "cores", 1, kMaxCount, false, [](A& a) -> auto& {return a.cores;
}
}
, {"core", "crossbars", 1, kMaxCount, false, [](A& a) -> auto& {return a.core.crossbars;
}
}
, {"core", "rows", 1, kMaxCount, false, [](A& a) -> auto& {return a.core.rows;
}
}
, {"core", "columns", 1, kMaxCount, false, [](A& a) -> auto& {return a.core.columns;
}
}
, {"core", "slices", 1, kMaxCount, true, [](A& a) -> auto& {return a.core.slices;
}
}
, {"core", "cell_bits", 1, kMaxBits, false, [](A& a) -> auto& {return a.core.cell_bits;
}
}
, {"core", "max_nodes", 1, kMaxCount, false, [](A& a) -> auto& {return a.core.max_nodes;
}
}
, {"core", "vector_bytes", 1, kMaxTime, false, [](A& a) -> auto& {return a.core.vector_bytes;
}
}
, {"core", "vector_time", 0, kMaxPassTime, false, [](A& a) -> auto& {return a.core.vector_time;
}
}
, {"core", "local_memory", 0, std::int64_t{1} << 50, false,
   [](A& a) -> auto& {return a.core.local_memory;
}
}
, {"bits", "activation", 1, kMaxBits, false, [](A& a) -> auto& {return a.bits.activation;
}
}
, {"bits", "weight", 1, kMaxBits, false, [](A& a) -> auto& {return a.bits.weight;
}
}
, {"mvm", "time", 1, kMaxTime, false, [](A& a) -> auto& {return a.mvm.time;
}
}
, {"mvm", "interval", 1, kMaxTime, false, [](A& a) -> auto& {return a.mvm.interval;
}
}
, {"power", "cores_per_router", 1, kMaxCount, false,
   [](A& a) -> auto& {return a.power.cores_per_router;
}
}
,
}
}
;

struct RationalField {
  std::string_view group;
  std::string_view key;
  bool positive;  ///< else 0 is allowed as well
  bool optional;
  Rational& (*member)(Architecture&);
};

inline constexpr std::array<RationalField, 11> kRationalFields{
    {{"bandwidth", "memory", true, false, [](A& a) -> auto& {return a.bandwidth.memory;
}
}
, {"bandwidth", "bus", true, false, [](A& a) -> auto& {return a.bandwidth.bus;
}
}
, {"bandwidth", "link", true, false, [](A& a) -> auto& {return a.bandwidth.link;
}
}
, {"power", "crossbar", false, false, [](A& a) -> auto& {return a.power.crossbar;
}
}
, {"power", "vector", false, false, [](A& a) -> auto& {return a.power.vector;
}
}
, {"power", "local", false, false, [](A& a) -> auto& {return a.power.local;
}
}
, {"power", "control", false, false, [](A& a) -> auto& {return a.power.control;
}
}
, {"power", "router", false, false, [](A& a) -> auto& {return a.power.router;
}
}
, {"power", "memory", false, false, [](A& a) -> auto& {return a.power.memory;
}
}
, {"power", "link", false, false, [](A& a) -> auto& {return a.power.link;
}
}
, {"power", "leak", false, true, [](A& a) -> auto& {return a.power.leak;
}
}
,
}
}
;

/// "core.rows", or "chips".
inline std::string full_key(std::string_view group, std::string_view key) {
  return group.empty() ? std::string(key) : std::string(group) + "." + std::string(key);
}

}  // namespace pimbb::crossbar::chip
