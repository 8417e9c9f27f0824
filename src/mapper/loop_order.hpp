// The order of a level's loops, as decided where addresses matter.
#pragma once

#include <array>
#include <cstdint>

#include "mapper/storage.hpp"
#include "pimbb/dims.hpp"

namespace pimbb::mapper {

/// The loops of one level, innermost first.
struct LoopOrder {
  std::array<Dim, kDims> loop{};
  std::uint8_t count = 0;
};

/// How often row activations under an order were asked for.
struct CountStatistics {
  std::uint64_t lookups = 0;
  std::uint64_t hits = 0;  ///< they were known
};

using Orders = std::array<LoopOrder, kMaxLevels>;  ///< by level

}  // namespace pimbb::mapper
