// How many random cases a test runs and which: steered from the environment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace testkit {

/// `usual`, or at most PIMBB_CASES if that is set: slow builds (sanitizers) lower it.
inline std::size_t cases(std::size_t usual) {
  const char* limit = std::getenv("PIMBB_CASES");
  return limit == nullptr ? usual : std::min<std::size_t>(usual, std::stoull(limit));
}

/// `usual`, or far from it if PIMBB_SEED is set: other values give other cases, for long searches.
inline std::uint64_t first_seed(std::uint64_t usual) {
  const char* seed = std::getenv("PIMBB_SEED");
  return seed == nullptr ? usual : usual + (std::uint64_t{std::stoull(seed)} << 32);
}

}  // namespace testkit
