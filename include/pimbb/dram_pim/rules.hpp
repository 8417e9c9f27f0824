// The devices that keep the search small, each of which can be switched off.
//
// The answer is the same without any of them; what changes is the number of nodes and the time.
// That is how their worth is measured, and how tests find out that one of them is wrong.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pimbb::dram_pim {

enum class Rule : std::uint8_t {
  lattice,     ///< prune by cost-to-go bounds, exact minima over the lattice of tiles
  lp,          ///< prune by bounds from linear relaxations
  dominance,   ///< drop a node if another one in the same state costs no more in any respect
  spatial,     ///< drop a spatial unrolling if another one of its tile costs no more
  descent,     ///< start from the mapping that the best bounds lead to
  tiles,       ///< take out tiles that no better mapping can contain
  thresholds,  ///< bound EDP and blends by energies at several latencies, not at one
  symmetry,    ///< of two mappings that differ in nothing but the axes, look at one
};
inline constexpr std::array<std::string_view, 8> kRuleNames{
    "lattice", "lp", "dominance", "spatial", "descent", "tiles", "thresholds", "symmetry"};
inline constexpr std::size_t kRules = kRuleNames.size();

/// A set of rules; all of them unless said otherwise.
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
