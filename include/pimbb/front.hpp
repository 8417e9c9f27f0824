// The shape of a front (section 1 of docs/answers.md), for every kind of accelerator: what is known
// and what is not.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb {

enum class FrontStatus : std::uint8_t {
  complete,    ///< proven: some point is no worse on all axes than any feasible mapping
  partial,     ///< a limit was reached; what is not settled is listed
  infeasible,  ///< proven: there is no mapping
  unknown      ///< a limit was reached before any mapping was found
};
inline constexpr std::array<std::string_view, 4> kFrontStatusNames{"complete", "partial",
                                                                   "infeasible", "unknown"};
constexpr std::string_view name(FrontStatus status) {
  return kFrontStatusNames[static_cast<std::size_t>(status)];
}

/// Which points of a front are wanted: all of them without any option.
struct FrontOptions {
  /// A subset such that every feasible mapping is dominated by one of its points after the point's
  /// coordinates are divided by 1 + `within`; >= 0.
  std::optional<Rational> within;
  /// At most so many points, spread over the front; >= 1.
  std::optional<std::uint64_t> points;
};

/// Cost vectors that may have mappings: on each axis at least `from` and less than `below`.
struct FrontBox {
  std::vector<Rational> from;
  std::vector<std::optional<Rational>> below;  ///< nothing: no limit
};

}  // namespace pimbb
