// Prices as integers: of one element read at a level, one row activated, one cycle, one MAC.
#pragma once

#include "space.hpp"

namespace pimbb_check {

/// Multiples of which all latencies and all energies are.
struct Units {
  cpp_int latency = 1, energy = 1;
  explicit Units(const Problem& p);
};

inline Rational transfer_cycles(const Problem& p, std::size_t m, std::size_t t) {
  return p.moved_bytes(t) / p.levels[m].bandwidth[t];
}
inline Rational crossing_cycles(const Problem& p, std::size_t t) {
  return p.interconnect_bandwidth ? Rational(p.moved_bytes(t) / *p.interconnect_bandwidth) : 0;
}

/// Whether no mapping can cost as much as kInfinity<std::int64_t>, nor weigh as much. Were this
/// wrong, a true proof would be refused; that no sum wraps is looked after where it is formed.
bool fit_62_bits(const Problem& p, const Space& space, const Units& units);

template <class Int>
struct Prices {
  std::vector<PerTensor<Int>> transfer;  // cycles per element read at a level
  std::vector<Int> access;               // energy per element
  PerTensor<Int> crossing{};             // interconnect cycles per element
  Int cycle, reduction, row_cycles, row_energy, macs;

  Prices(const Problem& p, const Units& units)
      : cycle(narrow<Int>(units.latency)),
        reduction(scaled<Int>(p.reduction_latency, units.latency)),
        row_cycles(scaled<Int>(p.activation_cycles / p.row_units, units.latency)),
        row_energy(scaled<Int>(p.activation_energy / p.row_units, units.energy)),
        macs(scaled<Int>(p.mac_energy * p.macs(), units.energy)) {
    for (std::size_t t = 0; t < 3; ++t) {
      crossing[t] = scaled<Int>(crossing_cycles(p, t), units.latency);
    }
    for (std::size_t m = 0; m <= p.dram(); ++m) {
      access.push_back(scaled<Int>(p.levels[m].access_cost, units.energy));
      transfer.emplace_back();
      for (std::size_t t = 0; t < 3; ++t) {
        transfer[m][t] = scaled<Int>(transfer_cycles(p, m, t), units.latency);
      }
    }
  }
};

}  // namespace pimbb_check
