// Common denominators, and the size of the largest cost.
#include "prices.hpp"

#include <algorithm>

namespace pimbb_check {

Units::Units(const Problem& p) {
  const auto cover = [](cpp_int& unit, const Rational& r) { unit = lcm(unit, denominator(r)); };
  cover(latency, p.reduction_latency);
  cover(latency, p.activation_cycles / p.row_units);
  cover(energy, p.activation_energy / p.row_units);
  cover(energy, p.mac_energy);
  for (std::size_t m = 0; m < p.levels.size(); ++m) {
    cover(energy, p.levels[m].access_cost);
    for (std::size_t t = 0; t < 3; ++t) cover(latency, transfer_cycles(p, m, t));
  }
  for (std::size_t t = 0; t < 3; ++t) cover(latency, crossing_cycles(p, t));
  // A PE's share of re-read outputs is a fraction over the PEs, which divide outputs * R * S * C.
  if (p.psum_rereads) latency *= cpp_int(p.bounds[R]) * p.bounds[S] * p.bounds[C];
}

bool fit_62_bits(const Problem& p, const Space& space, const Units& units) {
  // At no level is more of a tensor read, not even twice to add to partial sums, ...
  Int128 moves = p.macs();
  for (std::size_t i = 0; i < space.size(); ++i) {
    moves = std::max(moves, Int128{space[i].sweep[kInput]} * space[i].irrelevant[kInput]);
  }
  const cpp_int reads = 2 * cpp_int(moves);
  // ... and a tensor that is not aligned opens at most two rows to read once what a row can hold.
  Rational rows = 0;
  Rational latency = Rational(p.macs()) + p.reduction_latency;
  Rational energy = p.mac_energy * p.macs();
  for (std::size_t t = 0; t < 3; ++t) {
    rows += 2 * reads * std::max(p.row_units, p.element_units[t]) / Rational(p.row_units);
    latency += reads * crossing_cycles(p, t);
    for (std::size_t m = 0; m <= p.dram(); ++m) {
      latency += reads * transfer_cycles(p, m, t);
      energy += reads * p.levels[m].access_cost;
    }
  }
  latency += rows * p.activation_cycles;
  energy += rows * p.activation_energy;
  const cpp_int most = kInfinity<std::int64_t>;
  const Rational alpha = p.alpha / units.latency;
  const Rational beta = p.beta / units.energy;
  const cpp_int unit = lcm(denominator(alpha), denominator(beta));
  return rows * p.row_units < most && latency * units.latency < most &&
         energy * units.energy < most && alpha * unit < most && beta * unit < most;
}

}  // namespace pimbb_check
