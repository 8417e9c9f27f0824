// Why a layer has no mapping on an accelerator, within a dataflow, constraints or limits on costs,
// and what would help.
//
//   const auto answer = explain(architecture, layer, {.caps = {{Goal::latency, 1'000'000}}});
//   for (const ConflictPart& part : answer.conflict.parts) ...
//
// pimbb/explanation.hpp explains conflicts and repairs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/explanation.hpp"

namespace pimbb::dram_pim {

struct Explanation : SolveStatistics {
  ExplanationStatus status = ExplanationStatus::partial;
  /// All constraints of the problem, in the order in which deletion tries to do without them.
  std::vector<ProblemConstraint> constraints;
  Conflict conflict;
  std::uint64_t solves = 0;  ///< searches
  double seconds = 0;
  int threads = 1;
};

/// Explains why solve() answers `infeasible`. The constraints are: PE rows, PE columns, MACs in a
/// PE; every rule of the unit type; the capacity of every bounded level; every level below the row
/// buffer whose storage is fixed; the layout of every tensor that may not be sequential, together
/// with the size of a row; the dataflow; the members of `question.constraints`; the limits on
/// goals. The goals themselves do not matter. Requires a method that is exact or a dataflow, a
/// layer that may not be padded, no precedence and no `below`. Throws what solve() does, and
/// InputError if the question is none of these. A limit of nodes or time is one of the whole
/// computation. The answer does not depend on the number of threads, nor on timing unless a limit
/// of time or an interruption ends it.
Explanation explain(const Architecture& architecture, const Workload& workload,
                    const Question& question, const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
