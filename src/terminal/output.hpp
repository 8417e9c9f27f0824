// Where results go: the report to standard output, the JSON to a file or to standard output.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "terminal/output_settings.hpp"

namespace pimbb::terminal {

/// A reader that goes away (`pimbb ... | head`) ends the output in silence; any other failure to
/// write is kept until finish(), so that a full disk under the report does not lose the JSON file.
class Output {
 public:
  /// Throws InputError if a file could not be written where `settings` want it: better now than
  /// after an hour's search.
  explicit Output(const OutputSettings& settings);

  /// Part of the report; left out if the user wants none.
  void report(std::string_view text);
  /// Part of what the command is there to write, whatever the user says of reports. False if there
  /// is no use in writing more.
  bool content(std::string_view text);
  /// Writes the JSON if it is wanted; `document` is only called then.
  void json(const std::function<std::string()>& document);
  /// Throws InputError if a part could not be written.
  void finish() const;
  [[nodiscard]] bool reader_gone() const { return reader_gone_; }

 private:
  void write(std::string_view text);

  const OutputSettings& settings_;
  bool reader_gone_ = false;
  std::string failure_;
};

}  // namespace pimbb::terminal
