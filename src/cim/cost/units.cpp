// Common denominators, and the largest numbers that a mapping can lead to.
#include "cim/cost/units.hpp"

#include <algorithm>
#include <numeric>

#include "exact/rational_impl.hpp"
#include "pimbb/error.hpp"

namespace pimbb::cim::cost {
namespace {

using boost::multiprecision::cpp_int;

constexpr int kTimeBits = 61;  // bounds of partial nests may be some times larger
constexpr int kEnergyBits = 122;

[[noreturn]] void refuse(const std::string& what, const std::string& allowed) {
  throw InputError(what + ": beyond the range of exact arithmetic, allowed is " + allowed);
}

std::int64_t common_multiple(std::int64_t a, std::int64_t b, const std::string& what) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a / std::gcd(a, b), b, &result)) {
    refuse(what, "a common multiple below 2^63");
  }
  return result;
}

std::int64_t in_units(const Rational& value, std::int64_t unit, const std::string& what) {
  const auto result = value.in_units(unit);
  if (!result) refuse(what, "values and denominators that fit 63 bits together");
  return *result;
}

}  // namespace

Units::Units(const Architecture& a) {
  const std::string who = "architecture '" + a.name + "': ";
  for (const Level& level : a.levels) {
    cycle = common_multiple(cycle, level.bandwidth, who + "the bandwidths");
  }
  const auto join = [&](const Rational& value) {
    const auto denominator = value.denominator();
    if (!denominator) refuse(who + "an energy", "63 bits");
    energy = common_multiple(energy, *denominator, who + "the energies");
  };
  for (const Level& level : a.levels) {
    join(level.read_energy);
    join(level.write_energy);
  }
  join(a.macro.activation_energy);
  join(a.leakage);
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    bit[m] = cycle / a.levels[m].bandwidth;
    read[m] = in_units(a.levels[m].read_energy, energy, who + a.levels[m].name);
    write[m] = in_units(a.levels[m].write_energy, energy, who + a.levels[m].name);
  }
  activation = in_units(a.macro.activation_energy, energy, who + "macro.activation_energy");
  leakage = in_units(a.leakage, energy, who + "leakage");
  if (__builtin_mul_overflow(a.product_cycles(), cycle, &product)) {
    refuse(who + "the bandwidths", "a cycle of fewer units");
  }
}

/// Serial execution of everything is an upper bound of all semantics: each of the loops costs at
/// most its transfers, counted twice, for every time it fires. The firings of a transfer times its
/// tile are at most the iterations of the whole layer, and so are those times the data that it
/// fills.
void Units::check_range(const Architecture& a, const Workload& layer) const {
  cpp_int macs = 1;
  for (const std::int64_t bound : layer.bounds) macs *= bound;
  const std::int64_t bits =
      std::max({a.bits.tensor[0], a.bits.tensor[1], a.bits.tensor[2], a.bits.psum});
  const cpp_int moves = cpp_int(4 * kTensors * (a.levels.size() + 1)) * (bits + 2);
  const cpp_int time = macs * (moves * cycle + product);
  std::int64_t dearest = std::max(activation, std::int64_t{1});
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    dearest = std::max({dearest, read[m], write[m]});
  }
  const cpp_int total = macs * moves * 2 * dearest * cycle + time * leakage;
  if (time >= (cpp_int(1) << kTimeBits) || total >= (cpp_int(1) << kEnergyBits)) {
    refuse("layer '" + layer.name + "' on architecture '" + a.name + "'",
           "a layer with fewer MACs, or figures with smaller common denominators");
  }
}

Rational Units::cycles(Time time) const { return {time, cycle}; }

Rational Units::nanojoule(Energy energy_units) const {
  return to_rational(energy_units) / Rational(energy);
}

Rational Units::nanojoule_of_total(Int128 total) const {
  return to_rational(total) / Rational(energy) / Rational(cycle);
}

}  // namespace pimbb::cim::cost
