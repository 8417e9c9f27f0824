// Loop orders: what is stationary at each level, and how often each tensor is swept again.
//
// The innermost loop of a level is irrelevant to one tensor at most, the level's *class*, and the
// best order of a class has all loops irrelevant to that tensor innermost (proved in
// mapper/steps.hpp). So a level's order is one binary of three, `class_2_weight`. A class needs a
// loop irrelevant to its tensor, unless the level has no loops at all: a level that pretended to
// have no class would escape the second activation that `hybrid` charges for reuse. Only the loop
// over G is irrelevant to no tensor: if the layer has groups there is a fourth binary,
// `class_2_none`, which needs such a loop.
//
// The tile of t at level i stays put through a *run* of levels and is swept again by the loops
// irrelevant to t beyond the run:
//
//     level   i+1 ... e-1   no loop relevant to t        the run passes
//             e             class t                      the run ends here (e = i: no run at all)
//             e+1 ... DRAM                                all irrelevant loops are sweeps
//
//     sweeps = prod over j irrelevant to t of B[j] / c[e][j]
//
// The end is a binary `run_1_weight_3` (i = 1, e = 3). It may be chosen too short: sweeps then are
// counted that cost nothing, which no minimum does.
#pragma once

#include "dram_pim/milp/tiling.hpp"

namespace pimbb::dram_pim::milp {

struct Orders {
  /// Per level >= 1: 1 if the level's class is t.
  std::vector<PerTensor<Sum>> of_class;
  /// Per level 0 .. row buffer, key {sweeps}: how often its tile of t is filled anew by loops
  /// irrelevant to t.
  std::vector<PerTensor<Choice>> sweeps;
};

Orders decide_orders(Problem& problem, const Tiling& tiling);

}  // namespace pimbb::dram_pim::milp
