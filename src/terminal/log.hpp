// The log of a command, --log FILE: one JSON object per line, each written immediately, so that a
// long search can be followed with `tail -f` or by a program. docs/commands/README.md describes the
// lines.
#pragma once

#include <string>

#include "files/json_text.hpp"
#include "pimbb/run_limits.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::terminal {

class Log {
 public:
  /// Opens the file and empties it if a log is requested; throws InputError if it cannot be
  /// written.
  explicit Log(const OutputSettings& settings);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  [[nodiscard]] bool wanted() const { return file_ >= 0; }

  /// The first line: the problem, `what`, and the settings.
  void start(const std::string& command, const files::Json& what, const RunLimits& limits);
  /// The subject of the following lines: "layer" or "case", and its name.
  void about(std::string key, std::string name);
  void progress(const Progress& progress);
  /// A line with one result, `fields`.
  void result(const std::string& event, const files::Json& fields);
  /// The line `end` of one computation: `fields`, and what it took.
  void end(files::Json fields, double seconds, int threads);
  /// Whether seconds, rates and threads are omitted.
  [[nodiscard]] bool timeless() const { return timeless_; }
  /// The last line of a command that solves several problems.
  void end(const files::Json& summary);
  /// Throws InputError if a line could not be written.
  void finish() const;

 private:
  [[nodiscard]] files::Json event(const std::string& name) const;
  void write(const files::Json& line);

  std::string path_;
  bool timeless_;
  int file_ = -1;
  int error_ = 0;
  std::string key_;
  std::string name_;
};

}  // namespace pimbb::terminal
