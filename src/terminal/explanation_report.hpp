// The report on why there is no solution, for any kind of accelerator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pimbb/explanation.hpp"
#include "terminal/log.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

/// The conflict with what each of its numbers needs, and the repairs; empty without a conflict.
std::string explanation_tables(const Style& style, const Conflict& conflict);

/// "infeasible: ..." in one sentence, or that there is a solution, or that a limit was hit;
/// `stopped` is what that is called: "limit hit".
std::string explanation_verdict(const Style& style, ExplanationStatus status,
                                const Conflict& conflict, std::string_view stopped);

/// The end of the log.
void log_explanation(Log& log, ExplanationStatus status, std::uint64_t solves, std::uint64_t nodes,
                     double seconds, int threads);

/// A row for each constraint of the conflict.
std::string explanation_csv(const Conflict& conflict, const std::string& layer);

}  // namespace pimbb::terminal
