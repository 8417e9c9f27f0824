// Times and energies as integers.
//
// A transfer of b bits out of a level takes b / bandwidth cycles, so that all times are integers in
// units of 1 / lcm(bandwidths) cycles. Energies per bit, of an activation and of leakage in a cycle
// are integers over a common denominator E. A total energy is dynamic energy and leakage times
// latency, in units of 1 / (E * lcm(bandwidths)) nJ.
#pragma once

#include <array>
#include <cstdint>

#include "exact/int128.hpp"
#include "pimbb/cim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cim::cost {

using Time = std::int64_t;  ///< in units of 1 / Units::cycle cycles
using Energy = Int128;      ///< dynamic: in units of 1 / Units::energy nJ

struct Units {
  std::int64_t cycle = 1;                                ///< time units in a cycle
  std::int64_t energy = 1;                               ///< energy units in a nJ
  std::array<Time, kMaxLevels> bit{};                    ///< time that a bit takes out of a level
  std::array<std::int64_t, kMaxLevels> read{}, write{};  ///< energy units per bit
  std::int64_t activation = 0;                           ///< energy units
  std::int64_t leakage = 0;                              ///< energy units per cycle
  Time product = 0;                                      ///< time of a matrix-vector product

  /// Throws InputError if the denominators are beyond 63 bits.
  explicit Units(const Architecture& architecture);

  /// Throws InputError if a mapping of `layer`, already padded, could exceed the range of Time or
  /// Energy.
  void check_range(const Architecture& architecture, const Workload& layer) const;

  /// Total energy, in units of 1 / (energy * cycle) nJ.
  [[nodiscard]] Int128 total(Energy dynamic, Time latency) const {
    return dynamic * cycle + Int128{leakage} * latency;
  }
  [[nodiscard]] Rational cycles(Time time) const;
  [[nodiscard]] Rational nanojoule(Energy energy_units) const;
  [[nodiscard]] Rational nanojoule_of_total(Int128 total) const;
};

}  // namespace pimbb::cim::cost
