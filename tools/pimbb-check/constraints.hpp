// Constraints on mappings: ranges of factors, storage bits, orders of loops, layouts. By default
// there are none, and everything is within them.
//
// Ranges of factors leave some values of a dimension's cumulative factor at each level: products of
// an admitted spatial factor (of one direction at most) and admitted factors of the levels up to
// there, from which admitted factors of the levels outside lead to the bound.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dims.hpp"

namespace pimbb_check {

struct Range {
  static constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  std::int64_t least = 1, most = kAny;
  [[nodiscard]] bool admits(std::int64_t value) const { return least <= value && value <= most; }
  friend bool operator==(const Range&, const Range&) = default;
};
using Ranges = std::array<Range, kDims>;

struct Constraints {
  std::array<Ranges, 3> spatial{};                     // H, W, inside a PE
  std::vector<Ranges> temporal;                        // by level; empty if there are none
  std::vector<PerTensor<std::optional<bool>>> stores;  // by level: decided bits
  std::vector<std::array<DimSet, kDims>> inside;       // by level and loop: those inside it
  PerTensor<std::array<bool, 2>> layout{{{true, true}, {true, true}, {true, true}}};
  std::array<Range, 2> block{};  // of a row-aligned input: h, w

  /// Whether there are any; then all of them are given.
  [[nodiscard]] bool any() const { return !temporal.empty(); }
  /// Finds the values of cumulative factors. `may_unroll`: whether a factor of a dimension fits a
  /// direction.
  void find_reached(
      const Factors& bounds,
      const std::function<bool(std::size_t direction, std::size_t j, std::int64_t)>& may_unroll);

  [[nodiscard]] bool unrolls(std::size_t direction, const Factors& factors) const;
  /// Whether level m may have the loops that lead from one tile to another.
  [[nodiscard]] bool nests(std::size_t m, const Factors& inner, const Factors& outer) const;
  /// Whether the ranges leave this tile of level m.
  [[nodiscard]] bool reaches(std::size_t m, const Factors& tile) const;
  [[nodiscard]] bool keeps(std::size_t m, const Flags& stored) const;

  /// Loops of a level, irrelevant to s, that may stand inside all others.
  [[nodiscard]] DimSet run(std::size_t m, DimSet loops, std::size_t s) const;
  /// Whether loop j may stand right around the loops of `placed`.
  [[nodiscard]] bool may_follow(std::size_t m, DimSet loops, DimSet placed, std::size_t j) const {
    return inside.empty() || (inside[m][j] & loops & ~placed) == 0;
  }
  [[nodiscard]] bool may_be(std::size_t t, bool aligned) const {
    return layout[t][aligned ? 1 : 0];
  }

  /// "; H.K = 8; GlobalBuffer.P <= 7", with these names of levels.
  [[nodiscard]] std::string text(const std::vector<std::string>& levels) const;

 private:
  [[nodiscard]] std::string level_text(std::size_t m, const std::string& level) const;

  std::vector<std::array<std::set<std::int64_t>, kDims>> reached_;
};

}  // namespace pimbb_check
