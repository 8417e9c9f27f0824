// Why a layer has no mapping on SRAM compute-in-memory within limits on costs or a restricted
// space, and what would help.
//
//   const auto answer = explain(architecture, layer, {.caps = {{Goal::latency, 100'000}}});
//   for (const ConflictPart& part : answer.conflict.parts) ...
//
// pimbb/explanation.hpp explains conflicts and repairs.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/cim/solver.hpp"
#include "pimbb/explanation.hpp"

namespace pimbb::cim {

struct Explanation : SolveStatistics {
  ExplanationStatus status = ExplanationStatus::partial;
  /// All constraints of the problem, in the order in which deletion tries to do without them.
  std::vector<ProblemConstraint> constraints;
  Conflict conflict;
  std::uint64_t solves = 0;  ///< searches
  double seconds = 0;
  int threads = 1;
};

/// Explains why solve() answers `infeasible`. The constraints are: the capacity of every bounded
/// level (bits); the size of every axis (lanes); every level below the DRAM that does not double
/// all its tiles; the restrictions of the space (factors, schemes, double buffers, the method
/// `ws`); the limits on goals. Which dimensions an axis admits and which tensors a level stores
/// are the accelerator's structure, not constraints. Where only schemes of fewest products are
/// searched (`ws`, SchemeRule::full), which ones they are depends on the axes: then these belong
/// to that restriction and have no constraints of their own; so do levels that do not double where
/// all tiles are that may be (DoubleRule::on). The objective does not matter, but for the weights
/// of a limit on a blend. Throws what solve() does, and InputError for the method `greedy` and the
/// semantics `simulator`, which prove nothing. A limit of nodes or time is one of the whole
/// computation. The answer does not depend on the number of threads, nor on timing unless a limit
/// of time or an interruption ends it.
Explanation explain(const Architecture& architecture, const Workload& workload,
                    const Question& question, const RunLimits& limits = {});

}  // namespace pimbb::cim
