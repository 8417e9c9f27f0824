// Options about fronts, of any kind of accelerator.
#pragma once

#include <string>

#include "pimbb/front.hpp"
#include "pimbb/run_limits.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/option_row.hpp"
#include "terminal/output.hpp"

namespace pimbb::terminal {

/// --axes, --within, --points. `allowed`: what an axis may be; `usual`: the axes by default.
OptionRows front_rows(std::string& axes, FrontOptions& options, const std::string& allowed,
                      const char* usual = "latency,energy");

/// --network, instead of a layer.
OptionRow front_network_row(std::string& network);

/// Throws InputError if --proof is beside options with which a front is not all points of a layer.
void check_front_proof(const OutputSettings& output, const std::string& network,
                       const FrontOptions& options);

/// The exit code: proven if the front is complete.
constexpr ExitCode exit_code(FrontStatus status) {
  if (status == FrontStatus::complete) return kProven;
  return status == FrontStatus::infeasible ? kInfeasible : kUnproven;
}

}  // namespace pimbb::terminal
