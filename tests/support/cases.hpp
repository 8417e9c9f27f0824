// How many random cases a test runs and which: steered from the environment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace testkit {

/// PIMBB_SHARE, if it is set.
inline std::optional<std::size_t> share() {
  const char* share = std::getenv("PIMBB_SHARE");
  return share == nullptr ? std::nullopt : std::optional<std::size_t>(std::stoul(share));
}

/// `usual`, or PIMBB_SHARE per cent of it if that is set, but a few: slow builds (sanitizers) lower
/// it.
inline std::size_t cases(std::size_t usual) {
  constexpr std::size_t kFew = 3;
  return std::min(usual, std::max<std::size_t>(kFew, usual * share().value_or(100) / 100));
}

/// Whether case `i` is among PIMBB_SHARE per cent of all cases, the first one included; all are by
/// default.
inline bool chosen(std::size_t i) {
  return i % std::max<std::size_t>(1, 100 / std::max<std::size_t>(1, share().value_or(100))) == 0;
}

/// Whether each test runs a few per cent of its cases. Tests of large problems then run not at all:
/// what they execute, small ones do too.
inline bool slow_build() { return share().value_or(100) < 10; }

/// `usual`, or far from it if PIMBB_SEED is set: other values give other cases, for long searches.
inline std::uint64_t first_seed(std::uint64_t usual) {
  const char* seed = std::getenv("PIMBB_SEED");
  return seed == nullptr ? usual : usual + (std::uint64_t{std::stoull(seed)} << 32);
}

}  // namespace testkit
