// Rows of the group "Output".
#include "terminal/output_settings.hpp"

#include "terminal/option_values.hpp"

namespace pimbb::terminal {

Style style_of(const OutputSettings& settings) {
  return style_of_stdout(settings.ascii, settings.wide);
}

OptionRow json_row(OutputSettings& settings) {
  return {"--json",
          "FILE",
          groups::kOutput,
          "",
          "Also write the result as JSON; '-' writes only the JSON, to standard output",
          [&](auto option, auto& text) { settings.json = not_empty(option, text); },
          any_file};
}

OptionRow csv_row(OutputSettings& settings, const char* help) {
  return {"--csv", "FILE", groups::kOutput,
          "",      help,   [&](auto option, auto& text) { settings.csv = not_empty(option, text); },
          any_file};
}

OptionRow log_row(OutputSettings& settings) {
  return {"--log",
          "FILE",
          groups::kOutput,
          "",
          "Also write progress as JSON lines while it happens: the problem, each better mapping, "
          "the bound at regular intervals, and the result",
          [&](auto option, auto& text) { settings.log = file(option, text); },
          any_file};
}

OptionRow output_row(std::string& output) {
  return {"--output",
          "FILE",
          groups::kOutput,
          "-",
          "File to write; '-' is standard output",
          [&](auto option, auto& text) { output = not_empty(option, text); },
          any_file};
}

OptionRow timeless_row(OutputSettings& settings, bool& also) {
  return {"--timeless",
          nullptr,
          groups::kOutput,
          "",
          "Leave out what differs between two runs: seconds, rates, threads, measured memory; "
          "progress is then logged by nodes, not by the clock",
          [&](auto, auto&) { settings.timeless = also = true; }};
}

}  // namespace pimbb::terminal
