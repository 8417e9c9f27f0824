// Constraints on mappings: ranges of factors, storage bits, loop orders and layouts that a user
// fixes or bounds (docs/constraints.md).
//
// Every constraint is about one decision of a mapping: a spatial factor, the factor of one
// dimension at one level, a tensor at a level, the order of a level's loops, a tensor's layout. A
// mapping satisfies the constraints if it satisfies each of them; the solver's claims then hold
// among these mappings.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/layout_range.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/precedence.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

/// The values that a factor may have.
struct FactorRange {
  static constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

  std::int64_t least = 1;
  std::int64_t most = kAny;  ///< inclusive

  [[nodiscard]] bool admits(std::int64_t factor) const { return least <= factor && factor <= most; }
  friend bool operator==(const FactorRange&, const FactorRange&) = default;
};
/// By dimension.
using FactorRanges = std::array<FactorRange, kDims>;

struct Constraints {
  std::array<FactorRanges, kDirections> spatial{};
  std::vector<FactorRanges> temporal;  ///< by level, innermost first; empty: any factors
  /// By level: whether a tensor is stored there, if that is decided; empty: any storage choice.
  std::vector<PerTensor<std::optional<bool>>> stores;
  LoopPrecedence orders;   ///< of the loops at levels above 0; transitive
  LayoutRanges layouts{};  ///< without lists of boxes (`among`)
  std::string source;      ///< names them in messages: a file

  /// Whether there is any constraint.
  [[nodiscard]] bool any() const;
  /// Whether a factor is constrained.
  [[nodiscard]] bool limit_factors() const;
  [[nodiscard]] const FactorRange& temporal_range(std::size_t level, Dim j) const;
  /// Whether tensor t must be stored at `level`, or must not; nothing if that is free.
  [[nodiscard]] std::optional<bool> stored(std::size_t level, Tensor t) const {
    return level < stores.size() ? stores[level][index(t)] : std::nullopt;
  }
  friend bool operator==(const Constraints&, const Constraints&) = default;
};

/// Every constraint in a few words: "spatial.H.K = 8", "GlobalBuffer.P <= 7".
std::vector<std::string> constraint_texts(const Architecture& architecture,
                                          const Constraints& constraints);

/// The first constraint that a mapping does not satisfy, in a sentence; nothing if it satisfies
/// all.
std::optional<std::string> find_breach(const Architecture& architecture, const Mapping& mapping,
                                       const Constraints& constraints);

/// The first constraint on a factor that no divisor of the layer's bound satisfies, in a sentence;
/// nothing if there is none.
std::optional<std::string> find_misfit(const Architecture& architecture, const Workload& workload,
                                       const Constraints& constraints);

/// Throws InputError if the constraints are not about this architecture: other numbers of levels,
/// an order at level 0 or a cyclic one, a tensor that its level cannot store or cannot bypass.
void validate(const Architecture& architecture, const Constraints& constraints);

/// The layouts within both ranges; at most one of each pair may have a list of boxes.
LayoutRanges both(const LayoutRanges& a, const LayoutRanges& b);

}  // namespace pimbb::dram_pim
