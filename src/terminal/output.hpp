// Output of results: the report to standard output, JSON and CSV to files or to standard output.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "terminal/output_settings.hpp"

namespace pimbb::terminal {

/// Throws InputError if the file `path`, the value of `option`, cannot be written.
void check_writable(const std::string& option, const std::string& path);

/// If the reader of a pipe ends (`pimbb ... | head`), the output ends silently. Any other write
/// error is reported by finish(), so that a failed report does not prevent the JSON file.
class Output {
 public:
  /// Throws InputError if a file of `settings` cannot be written, before the search begins.
  explicit Output(const OutputSettings& settings);

  /// Writes a part of the report, unless reports are disabled.
  void report(std::string_view text);
  /// Writes a part of the command's main output, even if reports are disabled. Returns false if
  /// further output would be lost.
  bool content(std::string_view text);
  /// Writes the JSON if it is requested; `document` is only called then. Version and command line
  /// are put behind its format.
  void json(const std::function<std::string()>& document);
  /// Writes the table if it is requested.
  void csv(const std::function<std::string()>& table);
  /// Throws InputError if a part could not be written.
  void finish() const;
  [[nodiscard]] bool reader_gone() const { return reader_gone_; }

 private:
  void write(std::string_view text);
  void write_to(const std::string& path, const std::string& text);

  const OutputSettings& settings_;
  bool reader_gone_ = false;
  std::string failure_;
};

}  // namespace pimbb::terminal
