// Costs as integers: the common denominators of latency and energy, and all coefficients in these
// units.
//
//     latency * latency_unit   and   energy * energy_unit   are integers for every mapping,
//     N_act * row              is an integer for the closed row models and for traces,
//
// so the search adds, multiplies and compares 128-bit integers and never rounds. This code checks
// once that 128 bits are enough, for the largest value that any mapping of the layer can have.
//
// MACs and row activations have finer energies than reads, and make the units small. What fills and
// feeds take and spend are multiples of a *step* of these units: tables hold them as such where 64
// bits are enough for steps, but not for units.
#pragma once

#include <vector>

#include "exact/int128.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::mapper {

struct Scale {
  Int128 latency_unit = 1;
  Int128 energy_unit = 1;
  std::int64_t row = 1;

  Int128 cycle = 1;                         ///< one cycle
  Int128 reduction = 0;                     ///< the reduction latency
  std::vector<PerTensor<Int128>> transfer;  ///< cycles per element handed inwards by a level
  PerTensor<Int128> interconnect{};         ///< cycles per element; 0 where unbounded
  Int128 activation_cycles = 0;             ///< cycles per 1/row of an activation
  std::vector<Int128> access;               ///< energy per element read from a level
  Int128 activation_energy = 0;             ///< energy per 1/row of an activation
  Int128 mac_energy = 0;                    ///< energy of all MACs together

  Int128 cycle_step = 1;   ///< divides the scaled cycles of every fill and feed; 1 if these fit
  Int128 energy_step = 1;  ///< divides their scaled energy, without that of the MACs

  Int128 most_latency = 0;  ///< upper bound on the latency of every mapping
  /// Whether the latency and energy of all fills and the leaf together are below 2^61 steps for all
  /// tiles. Row activations are not included.
  bool fills_fit_64_bits = false;

  /// Whether numbers of 64 bits count steps that are larger than a unit.
  [[nodiscard]] bool counts_steps() const {
    return fills_fit_64_bits && (cycle_step > 1 || energy_step > 1);
  }
  /// Scaled cycles or energies of fills and feeds as a table holds them: numbers of 64 bits count
  /// steps, those of 128 bits units.
  template <class Number>
  [[nodiscard]] Number table_cycles(Int128 cycles) const {
    return static_cast<Number>(sizeof(Number) == sizeof(Int128) ? cycles : cycles / cycle_step);
  }
  template <class Number>
  [[nodiscard]] Number table_energy(Int128 energy) const {
    return static_cast<Number>(sizeof(Number) == sizeof(Int128) ? energy : energy / energy_step);
  }

  [[nodiscard]] Rational latency(Int128 scaled) const;
  [[nodiscard]] Rational energy(Int128 scaled) const;
  [[nodiscard]] Rational activations(Int128 scaled) const;
  [[nodiscard]] Int128 scaled_latency(const Rational& cycles) const;
  [[nodiscard]] Int128 scaled_energy(const Rational& nanojoules) const;
  [[nodiscard]] Int128 scaled_activations(const Rational& count) const;
};

/// Throws InputError if some mapping's cost would not fit 126 bits.
Scale make_scale(const Architecture& architecture, const Workload& workload);

}  // namespace pimbb::dram_pim::mapper
