// Repeatable pseudo-random numbers: perturbations must differ between variables, but not between
// runs.
#pragma once

#include <cstdint>

#include "exact/splitmix64.hpp"

namespace pimbb::lp {

/// A number in [0, 1) that depends on `key` only (splitmix64).
inline double noise(int key) {
  SplitMix64 random(static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15U);
  return static_cast<double>(random() >> 11U) * 0x1.0p-53;
}

}  // namespace pimbb::lp
