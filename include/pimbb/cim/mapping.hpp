// A mapping of a layer onto an SRAM compute-in-memory accelerator: spatial factors and a nest of
// loops, each with one memory level per tensor. Plain data; feasibility.hpp has the rules.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/cim/architecture.hpp"
#include "pimbb/dims.hpp"

namespace pimbb::cim {

struct Loop {
  Dim dim = Dim::R;
  std::int64_t factor = 2;          ///< >= 2
  PerTensor<std::uint8_t> level{};  ///< index of the level where each tensor's tile is kept
  friend bool operator==(const Loop&, const Loop&) = default;
};

struct Mapping {
  std::vector<Factors> spatial;      ///< one for each axis
  std::vector<Loop> loops;           ///< outermost first
  std::vector<TensorFlags> doubled;  ///< one for each level: tiles that are double-buffered

  /// Product of the spatial factors of each dimension.
  [[nodiscard]] Factors unrolled() const;
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

}  // namespace pimbb::cim
