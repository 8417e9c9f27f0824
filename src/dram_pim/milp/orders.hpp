// Loop orders: the stationary tensor at each level, and the number of sweeps of each tensor.
//
// The innermost loop of a level is irrelevant to at most one tensor, the level's *class*, and the
// best order of a class has all loops irrelevant to that tensor innermost (proof in
// nest/steps.hpp). The order of a level is therefore one of three binaries, such as
// `class_2_weight`. A class requires a loop irrelevant to its tensor, unless the level has no
// loops: a level without a class would avoid the second activation that `hybrid` counts for reuse.
// A loop over G is not irrelevant to any tensor: for layers with groups there is a fourth binary,
// `class_2_none`, which requires such a loop.
//
// The tile of t at level i stays in place through a *run* of levels and is swept again by the loops
// irrelevant to t outside the run:
//
//     level   i+1 ... e-1   no loop relevant to t        the run passes
//             e             class t                      the run ends here (e = i: no run at all)
//             e+1 ... DRAM                                all irrelevant loops are sweeps
//
//     sweeps = prod over j irrelevant to t of B[j] / c[e][j]
//
// The end is a binary `run_1_weight_3` (i = 1, e = 3). A run may be chosen too short; this counts
// additional sweeps, so an optimum has no such run.
#pragma once

#include "dram_pim/milp/tiling.hpp"

namespace pimbb::dram_pim::milp {

struct Orders {
  /// Per level >= 1: 1 if the level's class is t.
  std::vector<PerTensor<Sum>> of_class;
  /// Per level 0 .. row buffer, key {sweeps}: the number of times that loops irrelevant to t fill
  /// its tile of t again.
  std::vector<PerTensor<Choice>> sweeps;
};

Orders decide_orders(Problem& problem, const Tiling& tiling);

}  // namespace pimbb::dram_pim::milp
