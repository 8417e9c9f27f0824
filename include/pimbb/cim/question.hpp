// The complete question to the solver: what is minimised, how it is priced, and restrictions of the
// space, which measure what they cost.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pimbb/cim/cost.hpp"
#include "pimbb/cim/objective.hpp"

namespace pimbb::cim {

/// The factors that a dimension's temporal extent is split into.
enum class FactorRule : std::uint8_t {
  any,    ///< every ordered factorization
  prime,  ///< prime factors
  flex    ///< the list of the published algorithm: primes, some of them merged
};
inline constexpr std::array<std::string_view, 3> kFactorRuleNames{"any", "prime", "flex"};
constexpr std::string_view name(FactorRule rule) {
  return kFactorRuleNames[static_cast<std::size_t>(rule)];
}

/// The spatial schemes that are searched.
enum class SchemeRule : std::uint8_t {
  all,
  full  ///< those with the fewest matrix-vector products
};
inline constexpr std::array<std::string_view, 2> kSchemeRuleNames{"all", "full"};
constexpr std::string_view name(SchemeRule rule) {
  return kSchemeRuleNames[static_cast<std::size_t>(rule)];
}

/// Which tiles are double-buffered, among those that may be.
enum class DoubleRule : std::uint8_t { free, on, off };
inline constexpr std::array<std::string_view, 3> kDoubleRuleNames{"free", "on", "off"};
constexpr std::string_view name(DoubleRule rule) {
  return kDoubleRuleNames[static_cast<std::size_t>(rule)];
}

enum class Method : std::uint8_t {
  exact,
  ws,     ///< weight-stationary: schemes `full`, loops over P, Q, N where weights stay in place
  greedy  ///< a heuristic: loop orders enumerated, levels filled greedily; schemes `full`
};
inline constexpr std::array<std::string_view, 3> kMethodNames{"exact", "ws", "greedy"};
constexpr std::string_view name(Method method) {
  return kMethodNames[static_cast<std::size_t>(method)];
}

/// An upper limit on a goal.
struct GoalCap {
  Goal goal = Goal::latency;
  Rational most;
  friend bool operator==(const GoalCap&, const GoalCap&) = default;
};

struct Question {
  Objective objective = {};
  Pricing pricing = {};
  FactorRule factors = FactorRule::any;
  SchemeRule schemes = SchemeRule::all;
  DoubleRule doubling = DoubleRule::free;
  Method method = Method::exact;
  /// Upper limits on any goals, of the objective or not, one for each: the optimum is that of the
  /// mappings within all of them, and `infeasible` means that there are none. Only for one layer,
  /// and not for `greedy`.
  std::vector<GoalCap> caps = {};

  /// Whether only a part of the mappings is searched.
  [[nodiscard]] bool is_restricted() const {
    return factors != FactorRule::any || schemes != SchemeRule::all ||
           doubling != DoubleRule::free || method != Method::exact;
  }
  /// The same question about all mappings.
  [[nodiscard]] Question unrestricted() const {
    Question whole;
    whole.objective = objective;
    whole.pricing = pricing;
    whole.caps = caps;
    return whole;
  }
};

}  // namespace pimbb::cim
