// Lower bounds on latency, energy and activations of all mappings, shared by all goals.
//
// The initial bounds assume that all PEs are always busy, that every output and weight moves once,
// and that each tensor opens one row, unless rows cost nothing. Every search, complete or not, may
// raise them. Later goals have the caps of earlier goals, so bounds proven under these caps remain
// valid for them.
#pragma once

#include <algorithm>

#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/mapper/target.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/row_model.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::mapper {

class KnownBounds {
 public:
  KnownBounds(const Architecture& architecture, const Workload& workload, RowModel row_model,
              const Scale& scale);

  /// A lower bound on the goal of `target`.
  [[nodiscard]] Wide of(const Target& target) const { return target.value(least_); }

  [[nodiscard]] const Costs& least() const { return least_; }

  /// A bound proven for the goal of `target`; infinite if no mapping keeps its caps.
  void raise(const Target& target, const Wide& bound);
  void raise_latency(Int128 bound) { least_.latency = std::max(least_.latency, bound); }
  void raise_energy(Int128 bound) { least_.energy = std::max(least_.energy, bound); }

 private:
  Costs least_;
};

}  // namespace pimbb::dram_pim::mapper
