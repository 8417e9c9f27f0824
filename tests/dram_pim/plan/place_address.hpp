// Addresses of a shared tensor's elements, worked out for the tests alone.
#pragma once

#include "dram_pim/plan/placement.hpp"

namespace testkit {

/// Element n c h w, in the shared tensor's coordinates, of a placement with rows of `row` bytes.
inline std::int64_t place_address(const pimbb::dram_pim::network::Placement& p, std::int64_t n,
                                  std::int64_t c, std::int64_t h, std::int64_t w,
                                  std::int64_t row) {
  if (p.layout == pimbb::dram_pim::Layout::sequential) {
    const std::int64_t y = h - p.frame.top;
    const std::int64_t x = w - p.frame.left;
    if (p.channels_last) {
      return (((n * p.frame.height + y) * p.frame.width + x) * p.channels + c) * p.element_units;
    }
    return (((n * p.channels + c) * p.frame.height + y) * p.frame.width + x) * p.element_units;
  }
  const auto groups = [](std::int64_t size, std::int64_t block) { return (size - 1) / block + 1; };
  const std::int64_t y = h - p.own.top;
  const std::int64_t x = w - p.own.left;
  std::int64_t group = n / p.box[0];
  group = group * groups(p.channels, p.box[1]) + c / p.box[1];
  group = group * groups(p.own.height, p.box[2]) + y / p.box[2];
  group = group * groups(p.own.width, p.box[3]) + x / p.box[3];
  std::int64_t inside = n % p.box[0];
  inside = inside * p.box[1] + c % p.box[1];
  inside = inside * p.box[2] + y % p.box[2];
  inside = inside * p.box[3] + x % p.box[3];
  return group * row + inside * p.element_units;
}

}  // namespace testkit
