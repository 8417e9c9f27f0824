// A proof that a front is complete and that nothing in it is dominated, for a checker that does not
// trust the solver.
//
//   auto front = solve_front(architecture, make_partition(architecture, graph), axes, 1, limits);
//   prove(architecture, graph, limits, front, sink);
//
// `pimbb-check` verifies the text that goes to the sink (docs/crossbar-proof-format.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/crossbar/front.hpp"

namespace pimbb::crossbar {

struct FrontProofSize {
  std::uint64_t records = 0;  ///< of all trees
  std::uint64_t bytes = 0;
};

/// Writes the pimbb-crossbar-front-proof/1 document to `sink`, in pieces. solve_front() must have
/// returned the front for the same accelerator and network, with status `complete` or `infeasible`
/// and all points that it has found. The text does not depend on the number of threads. The limits
/// of time and memory apply anew, and so does the request to stop: they end the proof with a
/// LimitError. Throws InputError for other fronts, or if local memory is enforced, which proofs do
/// not cover.
FrontProofSize prove(const Architecture& architecture, const NodeGraph& graph,
                     const RunLimits& limits, const Front& front,
                     const std::function<void(std::string_view)>& sink);

/// The problem of a front in normal form, one line of JSON; a proof contains its SHA-256.
std::string canonical_front_instance(const Architecture& architecture, const NodeGraph& graph,
                                     const std::vector<Goal>& axes);

}  // namespace pimbb::crossbar
