// A proof that a solution is optimal, or of the bound that it came with, for a checker that does
// not trust the solver.
//
//   auto solution = solve(architecture, make_partition(architecture, graph), question, limits);
//   write_file("best.proof", prove(architecture, graph, question, limits, solution).text);
//
// `pimbb-check best.proof` verifies it (docs/crossbar-proof-format.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pimbb/crossbar/solver.hpp"

namespace pimbb::crossbar {

struct Proof {
  std::string text;           ///< the pimbb-crossbar-proof/1 document
  std::uint64_t records = 0;  ///< of the tree
};

/// Hands the proof of `solution` to `sink`, piece by piece; returns the number of records of its
/// tree. solve() must have returned the solution for the same accelerator, question and network. If
/// it is not known to be optimal, the proof is about its bound. The limits of time and memory apply
/// anew; they end the proof with a LimitError. Throws InputError if there is neither a mapping nor
/// a proof of infeasibility, or if local memory is enforced, which proofs do not cover.
std::uint64_t prove(const Architecture& architecture, const NodeGraph& graph,
                    const Question& question, const RunLimits& limits, const Solution& solution,
                    const std::function<void(std::string_view)>& sink);
/// The same as text.
Proof prove(const Architecture& architecture, const NodeGraph& graph, const Question& question,
            const RunLimits& limits, const Solution& solution);

/// The problem in normal form, one line of JSON; a proof contains its SHA-256.
std::string canonical_instance(const Architecture& architecture, const NodeGraph& graph,
                               const Question& question);

}  // namespace pimbb::crossbar
