// Pseudo-random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace pimbb {

/// The numbers of a seed, by splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// 0 .. count - 1, count < 2^32; as even as matters to a search.
  constexpr std::uint64_t below(std::uint64_t count) { return (((*this)() >> 32U) * count) >> 32U; }

  /// Every order of the items alike (Fisher and Yates).
  template <class Items>
  constexpr void shuffle(Items& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace pimbb
