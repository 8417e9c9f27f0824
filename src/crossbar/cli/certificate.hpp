// Proofs of the answers of commands: of an optimum, of the bound of a search that was stopped, or
// that no mapping is legal.
#pragma once

#include <string>

#include "crossbar/cli/options.hpp"
#include "crossbar/cli/words.hpp"
#include "pimbb/crossbar/front.hpp"
#include "pimbb/crossbar/solver.hpp"

namespace pimbb::crossbar::cli {

/// Throws InputError if a proof is wanted that does not cover the accelerator.
void check_provable(const OutputSettings& output, const Problem& problem);

/// Writes the proof of a solution to the file `path`, if that is not empty, within the limits.
/// Returns a line for the report.
std::string write_certificate(const std::string& path, const Problem& problem,
                              const Question& question, const RunLimits& limits,
                              const Solution& solution);
/// The same of a front, if it is complete or infeasible, within what the search has left of the
/// limits.
std::string write_certificate(const std::string& path, const Problem& problem,
                              const RunLimits& limits, const Front& front);

}  // namespace pimbb::crossbar::cli
