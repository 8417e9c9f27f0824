// The proof that --proof asks for, beside the report on a solution.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "dram_pim/cli/settings.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::cli {

/// Throws InputError if --proof contradicts other options: better now than after the search.
void check_proof(const Settings& settings);

/// Writes the proof if it is wanted and there is one; what has been done, in a line.
std::string write_proof(const Settings& settings, const Architecture& architecture,
                        const Workload& workload, const Solution& solution);

}  // namespace pimbb::dram_pim::cli
