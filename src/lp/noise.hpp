// Repeatable pseudo-random numbers: perturbations must differ between variables, but not between
// runs.
#pragma once

#include <cstdint>

namespace pimbb::lp {

/// A number in [0, 1) that depends on `key` only (splitmix64).
inline double noise(int key) {
  std::uint64_t z = (static_cast<std::uint64_t>(key) + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1.0p-53;
}

}  // namespace pimbb::lp
