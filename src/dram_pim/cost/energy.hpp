// The energy of a mapping by its causes: multiplications, accesses to each level, row activations.
// The parts add up to Metrics::energy.
#pragma once

#include <optional>
#include <vector>

#include "pimbb/dram_pim/cost.hpp"

namespace pimbb::dram_pim {

struct EnergyParts {  ///< nJ
  Rational macs;
  std::vector<PerTensor<std::optional<Rational>>> accesses;  ///< by level; of the tensors there
  PerTensor<Rational> activations;

  /// The accesses of all tensors to a level.
  [[nodiscard]] Rational accesses_to(std::size_t level) const;
};

EnergyParts energy_parts(const Architecture& architecture, const Workload& workload,
                         const Metrics& metrics);

}  // namespace pimbb::dram_pim
