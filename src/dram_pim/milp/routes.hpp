// Storage choices as routes: the levels through which each tensor moves from the DRAM to the PEs.
//
// The levels that store a tensor determine the source of each fill. Both follow from one path,
//
//     PEs <-- level 0 <-- level 1 <-- ... <-- row buffer <-- DRAM,
//
// that may skip the levels that may bypass the tensor: a hop (i, m) is taken if i and m store the
// tensor and no level between does. x_d[i][t] is the sum of the hops into i from outside. Hops of a
// tensor with a choice are binaries (`hop_1_3_weight`: level 1 is filled from level 3;
// `hop_pe_1_weight`: level 1 feeds the PEs), otherwise constants.
#pragma once

#include "dram_pim/milp/problem.hpp"

namespace pimbb::dram_pim::milp {

inline constexpr int kPes = -1;  ///< the inner end of the hop that feeds the PEs

struct Hop {
  int inner;
  std::size_t outer;
  Sum taken;
};

struct Routes {
  PerTensor<std::vector<Hop>> hops;

  /// x_d: 1 if `level` stores t.
  [[nodiscard]] Sum stored(std::size_t level, Tensor t) const;
  /// Hops whose inner end is `level`, or the PEs.
  [[nodiscard]] std::vector<Hop> into(int level, Tensor t) const;
};

Routes decide_routes(Problem& problem);

}  // namespace pimbb::dram_pim::milp
