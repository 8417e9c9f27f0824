// A storage choice of which a part is decided: a node of the tree of storage choices.
#pragma once

#include <algorithm>
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

/// A set of tensors: a bit for each.
using TensorSet = std::uint8_t;
inline constexpr std::size_t kTensorSets = std::size_t{1} << kTensors;

inline TensorFlags flags_of(TensorSet set) {
  TensorFlags flags{};
  for (std::size_t t = 0; t < kTensors; ++t) flags[t] = (set >> t & 1U) != 0;
  return flags;
}

inline TensorSet set_of(const TensorFlags& flags) {
  unsigned set = 0;
  for (std::size_t t = 0; t < kTensors; ++t) set |= (flags[t] ? 1U : 0U) << t;
  return static_cast<TensorSet>(set);
}

/// The sets that a level may store.
inline std::vector<TensorSet> sets_of(const PerTensor<Stored>& level) {
  std::vector<TensorSet> sets;
  for (std::size_t set = 0; set < kTensorSets; ++set) {
    bool may = true;
    for (std::size_t t = 0; t < kTensors; ++t) {
      const bool stored = (set >> t & 1U) != 0;
      may = may && level[t] != (stored ? Stored::no : Stored::yes);
    }
    if (may) sets.push_back(static_cast<TensorSet>(set));
  }
  return sets;
}

inline bool is_open(const PerTensor<Stored>& level) {
  return std::ranges::find(level, Stored::open) != level.end();
}

}  // namespace pimbb::dram_pim::mapper
