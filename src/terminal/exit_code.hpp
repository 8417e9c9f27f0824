// What the executable tells the shell: whether the answer is proven, and if not, why.
#pragma once

#include "pimbb/run_limits.hpp"

namespace pimbb::terminal {

enum ExitCode : int {
  kProven = 0,      ///< the answer is optimal, proven (or the command needs no proof)
  kInternal = 1,    ///< a fault of pimbb itself
  kBadInput = 2,    ///< a file, an option or a mapping is not acceptable
  kUnproven = 3,    ///< a limit was hit, the search interrupted, or the method a heuristic
  kInfeasible = 4,  ///< proven: no mapping exists, or none within the dataflow
  kUnbounded = 5,   ///< a linear program whose objective has no limit
};

constexpr ExitCode exit_code(Status status) {
  switch (status) {
    case Status::optimal: return kProven;
    case Status::infeasible: return kInfeasible;
    default: return kUnproven;
  }
}

}  // namespace pimbb::terminal
