// Where `trace` writes.
#include "terminal/trace_output.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "pimbb/error.hpp"
#include "pimbb/write_file.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/interrupt.hpp"

namespace pimbb::terminal {
namespace {

struct Interrupted {};  ///< leaves a file that is being written, which then is removed

bool to_stdout(const std::string& file) { return file == "-"; }

}  // namespace

void check_trace_output(const std::string& file, const OutputSettings& settings) {
  if (!to_stdout(file) || settings.json != "-") return;
  throw InputError(
      "--json: found '-', but the trace goes to standard output; allowed are a file, or '-' "
      "together with --output FILE");
}

bool write_trace(const std::string& file, const OutputSettings& settings, Output& output,
                 const std::function<void(ProgressLine&, const TakePiece&)>& stream) {
  const Interrupt interrupt;
  const bool on_screen = to_stdout(file) && stdout_is_terminal();  // is progress itself
  const auto stream_to = [&](const TakePiece& take) {
    ProgressLine progress(!settings.quiet && !on_screen, false);
    progress.begin("writing");
    stream(progress, [&](std::string_view text) { return take(text) && !interrupt.requested(); });
  };
  if (to_stdout(file)) {
    stream_to([&](std::string_view text) { return output.content(text); });
    return !interrupt.requested();
  }
  try {
    write_file(file, [&](const Sink& sink) {
      stream_to([&](std::string_view text) { return sink(text), true; });
      if (interrupt.requested()) throw Interrupted{};
    });
  } catch (const Interrupted&) {
    return false;
  }
  return true;
}

std::string_view trace_status(bool interrupted, std::int64_t written, std::int64_t total) {
  if (interrupted) return "interrupted";
  return written < total ? "limit" : "complete";
}

std::string trace_fate(const Style& style, const std::string& file, bool interrupted) {
  if (to_stdout(file)) return interrupted ? style.warning("interrupted") + " after " : "";
  if (!interrupted) return printable(file) + ", ";
  return fmt::format("{}: {} is not written; ", style.warning("interrupted"), printable(file));
}

std::string trace_extent(std::int64_t written, std::int64_t total, std::string_view what) {
  return written < total
             ? fmt::format("the first {} of {} {}", number(written), number(total), what)
             : fmt::format("{} {}", number(written), what);
}

int finish_trace(const std::string& file, const OutputSettings& settings, Output& output,
                 bool interrupted, const std::function<std::string(const Style&)>& summary,
                 const std::function<std::string()>& document) {
  output.finish();
  if (output.reader_gone()) return kProven;  // the reader, such as `head`, has ended
  if (!to_stdout(file)) {
    output.report(summary(style_of(settings)));
  } else if (!settings.quiet) {
    fmt::print(stderr, "{}", summary({}));
  }
  output.json(document);
  output.finish();
  return interrupted ? kUnproven : kProven;
}

}  // namespace pimbb::terminal
