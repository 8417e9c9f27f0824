// Random problems made from consecutive seeds.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>

#include "support/cases.hpp"
#include "support/instances.hpp"

namespace testkit {

/// Runs `check` on `count` instances made from the seeds first, first+1, ...
template <class Check>
void by_seed(std::uint64_t first, std::size_t count, const Size& size, const Check& check) {
  const std::uint64_t start = first_seed(first);
  for (std::uint64_t seed = start; seed < start + count; ++seed) {
    Choices choices(seed);
    const Instance i = random_instance(choices, size);
    CAPTURE(seed);
    CAPTURE(to_json(i));
    check(i);
  }
}

}  // namespace testkit
