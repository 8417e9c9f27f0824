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

using Orders = std::array<LoopOrder, kMaxLevels>;  ///< by level

}  // namespace pimbb::mapper
