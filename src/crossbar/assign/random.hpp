// Random steps of a search: numbers of a seed that are the same on every machine.
#pragma once

#include <cstdint>

#include "exact/splitmix64.hpp"

namespace pimbb::crossbar::assign {

class Random {
 public:
  explicit Random(std::uint64_t seed) : numbers_(seed) {}

  std::uint64_t next() { return numbers_(); }
  /// 0 .. count - 1, count < 2^32; as even as matters to a search.
  std::uint64_t below(std::uint64_t count) { return ((next() >> 32) * count) >> 32; }

 private:
  SplitMix64 numbers_;
};

}  // namespace pimbb::crossbar::assign
