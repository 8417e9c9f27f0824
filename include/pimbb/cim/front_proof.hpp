// A proof that a front is complete and that nothing in it is dominated, for a checker that does not
// trust the solver.
//
//   auto front = solve_front(architecture, layer, axes, question, limits);
//   prove(architecture, layer, question, limits, front, sink);
//
// `pimbb-check` verifies the text that goes to the sink (docs/cim-proof-format.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "pimbb/cim/front.hpp"

namespace pimbb::cim {

struct FrontProofSize {
  std::uint64_t schemes = 0;  ///< records of spatial schemes
  std::uint64_t bytes = 0;
};

/// Writes the pimbb-cim-front-proof/1 document to `sink`, in pieces. solve_front() must have
/// returned the front for the same arguments, with status `complete` or `infeasible` and all points
/// that it has found. The text does not depend on the number of threads. The limits of time and
/// memory apply anew, and so does the request to stop: they end the proof with a LimitError. Throws
/// InputError for other fronts.
FrontProofSize prove(const Architecture& architecture, const Workload& layer,
                     const Question& question, const RunLimits& limits, const Front& front,
                     const std::function<void(std::string_view)>& sink);

}  // namespace pimbb::cim
