// Random instances that a linear program can express.
#pragma once

#include "support/instances.hpp"

namespace testkit {

inline constexpr std::array<pimbb::dram_pim::Goal, 4> kLinearGoals{
    pimbb::dram_pim::Goal::latency, pimbb::dram_pim::Goal::energy,
    pimbb::dram_pim::Goal::activations, pimbb::dram_pim::Goal::blended};

inline constexpr std::array<pimbb::dram_pim::RowModel, 3> kClosedRowModels{
    pimbb::dram_pim::RowModel::hybrid, pimbb::dram_pim::RowModel::analytic,
    pimbb::dram_pim::RowModel::none};

/// Goals and closed row models take turns with the seed.
inline Instance linear_instance(std::uint64_t seed, const Size& size) {
  Choices choices(seed);
  Instance i = random_instance(choices, size);
  i.objective.goals = {kLinearGoals[seed % kLinearGoals.size()]};
  i.row_model = kClosedRowModels[seed / kLinearGoals.size() % kClosedRowModels.size()];
  return i;
}

}  // namespace testkit
