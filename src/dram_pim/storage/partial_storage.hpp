// A storage choice of which a part is decided: a node of the tree of storage choices.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/dims.hpp"
#include "pimbb/dram_pim/architecture.hpp"

namespace pimbb::dram_pim::mapper {

enum class Stored : std::uint8_t { no, yes, open };

/// By level, including row buffer and DRAM.
using PartialStorage = std::vector<PerTensor<Stored>>;

/// The tensors that a level is decided to store.
inline TensorFlags decided(const PerTensor<Stored>& level) {
  TensorFlags flags{};
  for (std::size_t t = 0; t < kTensors; ++t) flags[t] = level[t] == Stored::yes;
  return flags;
}

}  // namespace pimbb::dram_pim::mapper
