// Exit codes: whether the answer is proven, and the reason if it is not.
#pragma once

#include "pimbb/run_limits.hpp"

namespace pimbb::terminal {

enum ExitCode : int {
  kProven = 0,      ///< the answer is optimal, proven (or the command needs no proof)
  kInternal = 1,    ///< internal error of pimbb
  kBadInput = 2,    ///< a file, an option or a mapping is not acceptable
  kUnproven = 3,    ///< a limit was reached, an interruption, or the method is a heuristic
  kInfeasible = 4,  ///< proven: no mapping exists, or none within the dataflow
  kUnbounded = 5,   ///< a linear program with an unbounded objective
};

constexpr ExitCode exit_code(Status status) {
  switch (status) {
    case Status::optimal: return kProven;
    case Status::infeasible: return kInfeasible;
    default: return kUnproven;
  }
}

}  // namespace pimbb::terminal
