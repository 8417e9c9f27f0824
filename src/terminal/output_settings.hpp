// The output files of a command, and their options.
#pragma once

#include <string>

#include "terminal/caller.hpp"
#include "terminal/option_row.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

struct OutputSettings {
  std::string json;          ///< path, "-" for standard output, empty for none
  std::string csv;           ///< the same
  std::string proof;         ///< path of the proof of optimality, empty for none
  std::string log;           ///< path of the log, empty for none
  bool timeless = false;     ///< omit everything that differs between two runs
  bool quiet = false;        ///< no report, no progress
  bool ascii = false;        ///< no Unicode
  bool wide = false;         ///< all columns of tables
  std::string version;       ///< of the program, for documents
  std::string command;       ///< the command line, without what the answer does not depend on
  Caller* caller = nullptr;  ///< takes the document instead of `json`; null: a terminal

  [[nodiscard]] bool reports() const { return !quiet && json != "-" && csv != "-"; }
};

/// How reports are drawn on standard output.
Style style_of(const OutputSettings& settings);

OptionRow json_row(OutputSettings& settings);
/// --csv; `help` says what a row is.
OptionRow csv_row(OutputSettings& settings, const char* help);
OptionRow log_row(OutputSettings& settings);
/// A text file that is written, "-" for standard output.
OptionRow output_row(std::string& output);
/// --timeless, which also sets `also`, because progress reports depend on it.
OptionRow timeless_row(OutputSettings& settings, bool& also);

}  // namespace pimbb::terminal
