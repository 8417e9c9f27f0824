// The proof that --proof asks for, beside the report on a solution.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/workload.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::dram_pim::cli {

/// Throws InputError if --proof contradicts other options: better now than after the search.
void check_proof(const OutputSettings& output, Method method);

/// Writes the proof if it is wanted and there is one; what has been done, in a line.
std::string write_proof(const std::string& path, const Architecture& architecture,
                        const Workload& workload, const Question& question, const RunLimits& limits,
                        const Solution& solution);

}  // namespace pimbb::dram_pim::cli
