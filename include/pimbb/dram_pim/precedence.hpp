// Which loops of a level must stand inside which: a partial order of the dimensions for every
// level.
//
// Layers whose loop orders are to agree, at every level, with one permutation of the dimensions
// (spec 5, "Several layers") are solved under such orders: those that the permutation decided so
// far implies. A mapping keeps them if no level has two loops the wrong way round; dimensions
// without a loop at the level do not matter.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim {

/// Of one level: bit k of entry j is set if a loop of dimension k must stand inside one of
/// dimension j. Indices are those of Dim.
using LevelPrecedence = std::array<std::uint8_t, kDims>;

/// Adds what follows: inside of inside is inside.
void make_transitive(LevelPrecedence& level);

struct LoopPrecedence {
  /// By level, innermost first, level 0 (whose order is fixed) with nothing set; empty: any order.
  /// Every level's relation is transitive and without cycles.
  std::vector<LevelPrecedence> inside;

  /// Whether loops at some level have to keep an order.
  [[nodiscard]] bool any() const;
  /// Whether a loop of `inner` must stand inside one of `outer` at `level`.
  [[nodiscard]] bool demands(std::size_t level, Dim inner, Dim outer) const {
    return level < inside.size() && (inside[level][index(outer)] >> index(inner) & 1U) != 0;
  }
  friend auto operator<=>(const LoopPrecedence&, const LoopPrecedence&) = default;
};

/// A permutation of the dimensions for every level, each outermost first.
using LoopPermutations = std::vector<std::array<Dim, kDims>>;

/// The precedence that permutations of the levels above 0 stand for.
LoopPrecedence precedence_of(const LoopPermutations& permutations);

/// The first two loops of a mapping that stand the wrong way round, in a sentence; nothing if it
/// keeps the precedence.
std::optional<std::string> find_disorder(const Architecture& architecture, const Mapping& mapping,
                                         const LoopPrecedence& precedence);

}  // namespace pimbb::dram_pim
