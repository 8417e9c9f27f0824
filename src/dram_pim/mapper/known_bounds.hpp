// What is known of every mapping, whatever the goal: lower bounds on latency, energy, activations.
//
// To begin with they say that all PEs are busy all the time, that every output and weight moves
// once, and that each tensor opens a row. Each search that ends, or is cut short, may raise them.
// Goals to come keep the caps of those before them, so that bounds proven under these caps hold for
// them too.
#pragma once

#include <algorithm>

#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/mapper/target.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::mapper {

class KnownBounds {
 public:
  KnownBounds(const Architecture& architecture, const Workload& workload, const Scale& scale);

  /// A lower bound on the goal of `target`.
  [[nodiscard]] Wide of(const Target& target) const { return target.value(least_); }

  /// A bound proven for the goal of `target`; infinite if no mapping keeps its caps.
  void raise(const Target& target, const Wide& bound);
  void raise_latency(Int128 bound) { least_.latency = std::max(least_.latency, bound); }
  void raise_energy(Int128 bound) { least_.energy = std::max(least_.energy, bound); }

 private:
  Costs least_;
};

}  // namespace pimbb::dram_pim::mapper
