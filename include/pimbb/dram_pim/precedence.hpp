// Constraints on loop orders: for every level a partial order of the dimensions that says which
// loops must be inside which.
//
// Layers whose loop orders must agree with one permutation of the dimensions at every level
// (docs/networks.md, "One configuration for all layers") are solved under such constraints, which
// follow from the part of the permutation that is decided. A mapping satisfies them if no level has
// two loops in the wrong order; dimensions without a loop at the level do not matter.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim {

/// The constraints of one level: bit k of entry j is set if a loop of dimension k must be inside a
/// loop of dimension j. Indices are those of Dim.
using LevelPrecedence = std::array<std::uint8_t, kDims>;

/// Computes the transitive closure.
void make_transitive(LevelPrecedence& level);

struct LoopPrecedence {
  /// By level, innermost first; nothing is set for level 0, whose order is fixed. Empty: any order.
  /// Every level's relation is transitive and acyclic.
  std::vector<LevelPrecedence> inside;

  /// Whether there is any constraint.
  [[nodiscard]] bool any() const;
  /// Whether a loop of `inner` must be inside a loop of `outer` at `level`.
  [[nodiscard]] bool demands(std::size_t level, Dim inner, Dim outer) const {
    return level < inside.size() && (inside[level][index(outer)] >> index(inner) & 1U) != 0;
  }
  friend auto operator<=>(const LoopPrecedence&, const LoopPrecedence&) = default;
};

/// A permutation of the dimensions for every level, each outermost first.
using LoopPermutations = std::vector<std::array<Dim, kDims>>;

/// The constraints that permutations of the levels above 0 imply.
LoopPrecedence precedence_of(const LoopPermutations& permutations);

/// The first two loops of a mapping that are in the wrong order, in a sentence; nothing if the
/// mapping satisfies the constraints.
std::optional<std::string> find_disorder(const Architecture& architecture, const Mapping& mapping,
                                         const LoopPrecedence& precedence);

}  // namespace pimbb::dram_pim
