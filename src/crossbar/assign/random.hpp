// Random numbers that are the same on every machine (splitmix64).
#pragma once

#include <cstdint>

namespace pimbb::crossbar::assign {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// 0 .. count - 1, count < 2^32; as even as matters to a search.
  std::uint64_t below(std::uint64_t count) { return ((next() >> 32) * count) >> 32; }

 private:
  std::uint64_t state_;
};

}  // namespace pimbb::crossbar::assign
