// The pruning rules of the search; each can be disabled.
//
// The answer is the same without any of them; only the number of nodes and the time change. This is
// how their effect is measured, and how tests detect an incorrect rule.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pimbb::dram_pim {

enum class Rule : std::uint8_t {
  lattice,     ///< prune by the cost-to-go, exact minima over the lattice of tiles
  lp,          ///< prune by bounds from linear relaxations
  dominance,   ///< drop a node if another node in the same state costs no more in any respect
  spatial,     ///< drop a spatial unrolling if another one of the same tile costs no more
  descent,     ///< dive along the best bounds to the first incumbent
  tiles,       ///< remove tiles that no better mapping can contain
  thresholds,  ///< bound fronts by energies at several latencies, not at one
  symmetry,    ///< of two mappings that differ only by exchanged axes, search one
  joint,       ///< bound the row activations of all tensors together (row model trace)
  shared,      ///< bound storage choices by tables that all of them share
};
inline constexpr std::array<std::string_view, 10> kRuleNames{
    "lattice", "lp",         "dominance", "spatial", "descent",
    "tiles",   "thresholds", "symmetry",  "joint",   "shared"};
inline constexpr std::size_t kRules = kRuleNames.size();

/// A set of rules; all rules by default.
class Rules {
 public:
  [[nodiscard]] bool has(Rule rule) const { return (mask_ >> bit(rule) & 1U) != 0; }
  void set(Rule rule, bool on) {
    mask_ = on ? mask_ | 1U << bit(rule) : mask_ & ~(1U << bit(rule));
  }
  [[nodiscard]] Rules without(Rule rule) const {
    Rules rest = *this;
    rest.set(rule, false);
    return rest;
  }
  friend bool operator==(const Rules&, const Rules&) = default;

 private:
  static unsigned bit(Rule rule) { return static_cast<unsigned>(rule); }
  unsigned mask_ = (1U << kRules) - 1U;
};

}  // namespace pimbb::dram_pim
