// The proof for --proof, written in addition to the report on a solution; and the problem for
// --instance, written instead of a solution.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/workload.hpp"
#include "terminal/output.hpp"

namespace pimbb::dram_pim::cli {

/// Throws InputError if --proof contradicts other options; called before the search.
void check_proof(const OutputSettings& output, Method method);

/// Writes the proof if it is requested and exists; returns a line for the report.
std::string write_proof(const std::string& path, const Architecture& architecture,
                        const Workload& workload, const Question& question, const RunLimits& limits,
                        const Solution& solution);

/// Throws InputError if --instance contradicts other options.
void check_instance(const std::string& path, const OutputSettings& output, Method method);

/// Writes the problem in normal form, as one line: what a proof of it contains.
void write_instance(const std::string& path, const Architecture& architecture,
                    const Workload& workload, const Question& question, Output& output);

}  // namespace pimbb::dram_pim::cli
