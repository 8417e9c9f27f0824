// Proofs of the answers of commands.
#pragma once

#include <string>

#include "cim/cli/words.hpp"
#include "pimbb/cim/front.hpp"
#include "pimbb/cim/question.hpp"
#include "pimbb/cim/solver.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cim::cli {

/// Writes the proof of a solution to the file `path`, if that is not empty and there is one, within
/// what is left of the limits. Returns a line for the report.
std::string write_certificate(const std::string& path, const Architecture& architecture,
                              const Workload& workload, const Question& question,
                              const RunLimits& limits, const Solution& solution);
/// The same of a front.
std::string write_certificate(const std::string& path, const Architecture& architecture,
                              const Workload& layer, const Question& question,
                              const RunLimits& limits, const Front& front);

}  // namespace pimbb::cim::cli
