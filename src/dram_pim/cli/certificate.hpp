// The proof of a solution for --proof, written in addition to the report.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "pimbb/dram_pim/front.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/workload.hpp"
#include "terminal/certificate.hpp"

namespace pimbb::dram_pim::cli {

/// Throws InputError if --proof contradicts other options; called before the search.
void check_proof(const OutputSettings& output, Method method);

/// Writes the proof if it is requested and exists; returns a line for the report.
std::string write_proof(const std::string& path, const Architecture& architecture,
                        const Workload& workload, const Question& question, const RunLimits& limits,
                        const Solution& solution);

/// The same of a layer on a device.
std::string write_proof(const std::string& path, const Device& device, const Workload& layer,
                        const Moves& moves, const Question& question, const RunLimits& limits,
                        const DeviceSolution& solution);

/// The same of a front.
std::string write_proof(const std::string& path, const Architecture& architecture,
                        const Workload& layer, const Question& question, const RunLimits& limits,
                        const Front& front);

}  // namespace pimbb::dram_pim::cli
