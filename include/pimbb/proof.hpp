// A certificate that a solution is optimal, for a checker that trusts nothing of the solver.
//
//   auto solution = pimbb::solve(architecture, layer, options);
//   pimbb::io::write_file("best.proof", pimbb::prove(architecture, layer, options, solution).text);
//
// and then, outside,  pimbb-check best.proof  (docs/proof-format.md).
#pragma once

#include <cstdint>
#include <string>

#include "pimbb/architecture.hpp"
#include "pimbb/solver.hpp"
#include "pimbb/workload.hpp"

namespace pimbb {

struct Proof {
  std::string text;               ///< the pimbb-proof/1 document
  std::uint64_t inner_nodes = 0;  ///< records whose children follow
  std::uint64_t leaves = 0;       ///< records that close their part of the space
};

/// Whether solutions under this row model can be proven to a checker (trace: not yet).
bool provable(RowModel row_model);

/// The proof of a solution with status `optimal` or `infeasible` that solve() has returned for the
/// same arguments; the same text for every number of threads. Throws InputError if the status is
/// another one or the row model is not provable.
Proof prove(const Architecture& architecture, const Workload& workload, const SolveOptions& options,
            const Solution& solution);

/// The problem in the one normal form that a proof names by its SHA-256: one line of JSON.
std::string canonical_instance(const Architecture& architecture, const Workload& workload,
                               const Objective& objective, RowModel row_model);

}  // namespace pimbb
