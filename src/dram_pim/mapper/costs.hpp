// Costs of complete mappings, and of partial mappings so far, as scaled integers (scale.hpp).
#pragma once

#include <algorithm>

#include "dram_pim/mapper/storage.hpp"

namespace pimbb::dram_pim::mapper {

/// Greater than every cost, but small enough to be added without overflow.
template <class Number>
inline constexpr Number kInfinityOf = Number{1} << (8 * sizeof(Number) - 2);
inline constexpr Int128 kInfinity = kInfinityOf<Int128>;

/// Costs of a complete mapping.
struct Costs {
  Int128 latency = 0;
  Int128 energy = 0;
  Int128 activations = 0;
};

/// Costs of a partial mapping so far.
struct Sums {
  Int128 latency = 0;  ///< slowest closed resource
  Int128 energy = 0;
  Int128 activations = 0;  ///< in units of 1/row
  OpenSums open{};

  /// Adds the terms of one more decision; `open_count` open resources are in use.
  void add(const Terms& terms, std::size_t open_count) {
    latency = std::max(latency, terms.latency);
    energy += terms.energy;
    for (std::size_t i = 0; i < open_count; ++i) open[i] += terms.open[i];
  }
  /// The costs after the last decision, `leaf`.
  [[nodiscard]] Costs total(const Terms& leaf, std::size_t open_count) const {
    Costs costs{std::max(latency, leaf.latency), energy + leaf.energy, activations};
    for (std::size_t i = 0; i < open_count; ++i) {
      costs.latency = std::max(costs.latency, open[i] + leaf.open[i]);
    }
    return costs;
  }
};

}  // namespace pimbb::dram_pim::mapper
