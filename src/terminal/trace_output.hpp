// Where `trace` writes: a file, which an interruption leaves out, or standard output. The same for
// every kind of accelerator.
#pragma once

#include <cstdint>
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

/// "complete", "limit" or "interrupted", for documents: with `written` of `total` lines.
std::string_view trace_status(bool interrupted, std::int64_t written, std::int64_t total);

/// What became of the text, for the beginning of a summary: "fc.trace, ", nothing for standard
/// output, or the interruption.
std::string trace_fate(const Style& style, const std::string& file, bool interrupted);

/// "12 accesses", or "the first 12 of 20 accesses".
std::string trace_extent(std::int64_t written, std::int64_t total, std::string_view what);

/// What follows a trace that is written: the summary, on standard error if standard output has the
/// trace, and the document, if they are asked for. Returns the exit code.
int finish_trace(const std::string& file, const OutputSettings& settings, Output& output,
                 bool interrupted, const std::function<std::string(const Style&)>& summary,
                 const std::function<std::string()>& document);

}  // namespace pimbb::terminal
