// The best classes of mappings of a layer: what is asked for and what is counted, for every kind of
// accelerator. What a class is, the kind's own header says.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "pimbb/rational.hpp"

namespace pimbb {

struct TopRange {
  std::uint64_t most = 20;  ///< classes listed, >= 1
  /// All classes whose first goal is at most (1 + within) times the optimum are counted, and the
  /// `most` best of them listed; >= 0. Nothing: the `most` best ones are searched for.
  std::optional<Rational> within = {};
};

/// Classes, and mappings in them.
struct ClassCount {
  std::uint64_t classes = 0;
  Rational mappings;  ///< an integer
};

/// The same where counting may end before everything is counted.
struct ClassTotal {
  std::uint64_t classes = 0;
  bool all = true;                        ///< otherwise at least so many
  std::optional<Rational> mappings = {};  ///< an integer; nothing if some are not counted
};
inline ClassTotal total_of(const ClassCount& count) {
  return {count.classes, true, count.mappings};
}

enum class TopStatus : std::uint8_t {
  complete,   ///< no class outside the list is better than the last one; all counts are final,
              ///< except a ClassTotal that says otherwise
  partial,    ///< a limit was hit: listed classes and counts are what was found
  infeasible  ///< there is no mapping
};
inline constexpr std::array<std::string_view, 3> kTopStatusNames{"complete", "partial",
                                                                 "infeasible"};
constexpr std::string_view name(TopStatus status) {
  return kTopStatusNames[static_cast<std::size_t>(status)];
}

}  // namespace pimbb
