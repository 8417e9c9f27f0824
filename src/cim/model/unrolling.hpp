// Where the spatial factors of a mapping count.
//
// An axis spreads a tensor at its fan-out level. At that level and outside, the axis is part of the
// tensor's tile; inside, it multiplies the instances.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "pimbb/cim/architecture.hpp"

namespace pimbb::cim {

struct Unrolling {
  struct At {
    Factors tile{};              ///< spatial extents of the tile
    std::int64_t instances = 0;  ///< of the level
  };

  Unrolling(const Architecture& architecture, std::span<const Factors> spatial);

  /// Of a level that stores the tensor, else zeros.
  [[nodiscard]] const At& at(Tensor t, std::size_t level) const { return at_[index(t)][level]; }
  /// Product of the factors on the first axis.
  [[nodiscard]] std::int64_t cores() const { return cores_; }

 private:
  PerTensor<std::array<At, kMaxLevels>> at_{};  // set where the level stores the tensor
  std::int64_t cores_ = 1;
};

}  // namespace pimbb::cim
