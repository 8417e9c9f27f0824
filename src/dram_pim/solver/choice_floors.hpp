// What may be known before a search. Lower bounds of the costs of storage choices: choices that
// cannot lead to anything within the limits of a question need no tables. What earlier
// searches of a layer made.
#pragma once

#include <vector>

#include "dram_pim/mapper/layer_store.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim::mapper {

/// What each mapping costs at least whose levels store these tensors.
struct ChoiceFloor {
  std::vector<TensorFlags> stores;  ///< by level
  GoalCosts least;
};
using ChoiceFloors = std::vector<ChoiceFloor>;

/// solve() with such bounds, of any of the choices. The status and the value are the same; of
/// several optima it may find another one. `layers`: what other
/// searches of the same layers made, and where to leave more; may be null. `unwanted`: whether
/// nobody wants the answer any more when `limits` stop the search, so that it ends at once.
Solution solve_beyond(const Architecture& architecture, const Workload& workload,
                      const Question& question, const RunLimits& limits, const ChoiceFloors& floors,
                      LayerStore* layers = nullptr, std::stop_token unwanted = {});

/// A mapping after a local search that looks at `tries` mappings, with no bound; the status is
/// unknown if none of these is within the question, infeasible if the layer fits nowhere.
Solution solve_briefly(const Architecture& architecture, const Workload& workload,
                       const Question& question, std::uint64_t tries);

}  // namespace pimbb::dram_pim::mapper
