// How many random cases a test runs: scaled for slow builds by the environment.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>

namespace testkit {

/// `usual`, or at most PIMBB_CASES if that is set.
inline std::size_t cases(std::size_t usual) {
  const char* limit = std::getenv("PIMBB_CASES");
  return limit == nullptr ? usual : std::min<std::size_t>(usual, std::stoull(limit));
}

}  // namespace testkit
