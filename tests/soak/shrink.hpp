// The simplest problem that still shows a mistake.
//
// A problem is simplified by edits, tried in turn for as long as one of them helps: options back to
// their defaults, goals and levels dropped, bounds lowered, the architecture's features switched
// off. Every edit gives a simpler problem or the same, so this ends; and every problem on the way
// fails.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "soak/cim_problem.hpp"
#include "soak/problem.hpp"

namespace soak {

/// What `fails` says of the problem returned as it does of the one given, which it must be true of.
Problem shrink(Problem problem, const std::function<bool(const Problem&)>& fails);
soak_cim::Problem shrink(soak_cim::Problem problem,
                         const std::function<bool(const soak_cim::Problem&)>& fails);

template <class P>
using EditsOf = std::vector<std::function<void(P&)>>;

/// The same with the edits that `edits_of` makes for a problem.
template <class P>
P shrink_by(P problem, const std::function<EditsOf<P>(const P&)>& edits_of,
            const std::function<bool(const P&)>& fails) {
  for (bool simpler = true; simpler;) {
    simpler = false;
    for (const auto& edit : edits_of(problem)) {
      for (;;) {
        P next = problem;
        edit(next);
        if (!valid(next) || write(next) == write(problem) || !fails(next)) break;
        problem = std::move(next);
        simpler = true;
      }
    }
  }
  return problem;
}

}  // namespace soak
