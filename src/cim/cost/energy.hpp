// Dynamic energy of a nest: everything but leakage.
#pragma once

#include <array>

#include "cim/cost/nest.hpp"

namespace pimbb::cim::cost {

/// Energy units for a bit that leaves or enters a level; outputs pay the way back as well.
struct BitCosts {
  std::int64_t out = 0;
  std::int64_t in = 0;
};
BitCosts bit_costs(const Architecture& architecture, const Units& units, Tensor t,
                   std::size_t level);

/// Energy by cause, as LevelEnergy.
struct LevelUnits {
  Energy transfers = 0;
  Energy charged = 0;
  Energy boot = 0;
};
using EnergyTable = std::array<PerTensor<LevelUnits>, kMaxLevels>;

/// The sum, activations included; adds its parts to `table` unless that is null.
Energy dynamic_energy(const Nest& nest, EnergyTable* table = nullptr);

}  // namespace pimbb::cim::cost
