// Where `trace` writes: a file, which an interruption leaves out, or standard output. The same for
// every kind of accelerator.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "terminal/output.hpp"
#include "terminal/progress.hpp"

namespace pimbb::terminal {

/// Throws InputError if the trace and the JSON would both go to standard output ("-").
void check_trace_output(const std::string& file, const OutputSettings& settings);

/// Takes a piece of the text; false if no more of it is wanted.
using TakePiece = std::function<bool(std::string_view)>;

/// Writes a trace to `file`; `stream` hands its text over and may update the progress. Returns
/// false if it was interrupted.
bool write_trace(const std::string& file, const OutputSettings& settings, Output& output,
                 const std::function<void(ProgressLine&, const TakePiece&)>& stream);

/// Prints the summary: to standard error if standard output has the trace.
void report_trace(const std::string& file, const OutputSettings& settings, Output& output,
                  const std::function<std::string(const Style&)>& summary);

}  // namespace pimbb::terminal
