// The order of a level's loops, for models that depend on addresses.
#pragma once

#include <array>
#include <cstdint>

#include "pimbb/dims.hpp"

namespace pimbb::nest {

/// The loops of one level, innermost first.
struct LoopOrder {
  std::array<Dim, kDims> loop{};
  std::uint8_t count = 0;
};

}  // namespace pimbb::nest
