// Random instances that a linear program can express.
#pragma once

#include "support/instances.hpp"

namespace testkit {

inline constexpr std::array<pimbb::Goal, 4> kLinearGoals{
    pimbb::Goal::latency, pimbb::Goal::energy, pimbb::Goal::activations, pimbb::Goal::blended};

/// Goals and closed row models take turns with the seed.
inline Instance linear_instance(std::uint64_t seed, const Size& size) {
  Choices choices(seed);
  Instance i = random_instance(choices, size);
  i.objective.goals = {kLinearGoals[seed % kLinearGoals.size()]};
  const bool hybrid = seed / kLinearGoals.size() % 2 == 0;
  i.row_model = hybrid ? pimbb::RowModel::hybrid : pimbb::RowModel::analytic;
  return i;
}

}  // namespace testkit
