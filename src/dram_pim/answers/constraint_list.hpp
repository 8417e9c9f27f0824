// The constraints of a layer's problem, each with its words and how to drop it (docs/answers.md,
// "Why not").
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "dram_pim/answers/figures.hpp"
#include "pimbb/dram_pim/question.hpp"
#include "pimbb/explanation.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::answers {

/// An accelerator and a question about a layer, of which constraints are dropped.
struct Problem {
  Architecture architecture;
  Question question;
};

struct Droppable {
  ProblemConstraint constraint;
  std::function<void(Problem&)> drop;
  /// Its size: with more of it more mappings are feasible, but the costs may depend on a `shape`.
  std::optional<Figure> size = {};
  std::optional<Goal> limited = {};  ///< of a limit: the goal
};

/// All of them. Dropped are first those that come first; they refer to the architecture.
std::vector<Droppable> constraints_of(const Architecture& architecture, const Workload& workload,
                                      const Question& question);

/// Leaves one PE column where both rows and columns are enough for all loops and any unrolling on
/// columns may be one on rows. Costs and capacities depend on how far a dimension is unrolled over
/// the PEs, not on the direction, so what is feasible at which cost stays the same; the search has
/// less to try.
void fold_columns(Problem& problem, const Workload& workload);

/// The least row, in bytes, that the row-aligned tensors of a mapping fit.
std::int64_t row_need(const Architecture& architecture, const Workload& workload,
                      const Mapping& mapping);

}  // namespace pimbb::dram_pim::answers
