// Why a network has no mapping on a crossbar accelerator, or none within limits on `ht` and `ll`,
// and what would help.
//
//   const auto answer = explain(architecture, graph, {{{Goal::ht, 100'000}}});
//   for (const ConflictPart& part : answer.conflict.parts) ...
//
// pimbb/explanation.hpp explains conflicts and repairs.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/crossbar/solver.hpp"
#include "pimbb/explanation.hpp"

namespace pimbb::crossbar {

/// An upper limit on an estimate, ns, >= 0.
struct GoalCap {
  Goal goal = Goal::ht;
  Rational most;
};

struct ExplainQuestion {
  std::vector<GoalCap> caps;  ///< none: any mapping; of several for one goal the least counts
  std::uint64_t seed = 1;     ///< of the random steps that look for good mappings
};

struct Explanation : SolveStatistics {
  ExplanationStatus status = ExplanationStatus::partial;
  /// All constraints of the problem, in the order in which deletion tries to do without them.
  std::vector<ProblemConstraint> constraints;
  Conflict conflict;
  std::uint64_t solves = 0;  ///< questions that a search answered
  double seconds = 0;
  int threads = 1;
};

/// The constraints are: chips, cores of a chip, crossbars of a core, nodes in a core; rows, columns
/// and slices of a crossbar, each as large (slices: as few) as an architecture file may have it
/// where it is dropped; with a limit on `ht` or `ll` also the time of a multiplication, and with
/// one on `ht` the interval of two, which are 0 where they are dropped; and the limits. If local
/// memory is enforced, its bytes and the bits of an activation are constraints, while rows, columns
/// and slices are taken as given: larger ones need more memory. Repairs are values that a file may
/// have.
///
/// Each search ends after kDefaultNodes nodes, and what it leaves open is `open` in the answer.
/// `limits.node_limit` and the time limit are those of the whole computation. The answer does not
/// depend on the number of threads, nor on timing unless a limit of time or an interruption ends
/// it. Throws InputError if the architecture or the graph is not valid, a limit is negative, or the
/// network has no such estimate.
Explanation explain(const Architecture& architecture, const NodeGraph& graph,
                    const ExplainQuestion& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::crossbar
