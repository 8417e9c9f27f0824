// The constraints of a layer's problem on SRAM compute-in-memory, each with its words and how to
// drop it (docs/answers.md, "Why not").
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cim/answers/figures.hpp"
#include "pimbb/cim/question.hpp"
#include "pimbb/explanation.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cim::conflicts {

/// An accelerator and a question about a layer, of which constraints are dropped.
struct Relaxed {
  Architecture architecture;
  Question question;
};

/// Dropping a constraint never takes a mapping away and changes no mapping's cost.
struct Droppable {
  ProblemConstraint constraint;
  std::function<void(Relaxed&)> drop;
  std::optional<figures::Figure> size = {};  ///< more of it never hurts
  std::optional<Goal> limited = {};          ///< of a limit: the goal
};

/// All of them. Dropped are first those that come first; they refer to the architecture.
std::vector<Droppable> constraints_of(const Architecture& architecture, const Workload& workload,
                                      const Question& question);

}  // namespace pimbb::cim::conflicts
