// Costs as integers: the common denominators of latency and energy, and all coefficients in these
// units.
//
//     latency * latency_unit   and   energy * energy_unit   are integers for every mapping,
//     N_act * row              is an integer for the closed row models and for traces,
//
// so the search adds, multiplies and compares 128-bit integers and never rounds. This code checks
// once that 128 bits are enough, for the largest value that any mapping of the layer can have.
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

  Int128 most_latency = 0;  ///< upper bound on the latency of every mapping
  /// Whether the latency and energy of all fills and the leaf together are below 2^61 for all
  /// tiles. Row activations are not included.
  bool fills_fit_64_bits = false;

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
