// A program with several commands: parses the command line, runs a command, describes itself.
//
// The options of a command are made when it is named on the command line, those of all commands for
// a manual: a program begins in half the time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "terminal/command.hpp"
#include "terminal/manual.hpp"

namespace pimbb::terminal {

/// Texts of a program's help.
struct ProgramText {
  const char* name;
  const char* version;      ///< "pimbb 1.2.3", in documents and the first line of --version
  const char* build;        ///< the lines after it: what the program is built from
  const char* description;  ///< above the commands in --help
  const char* beginning;    ///< below them
  const char* exit_codes;   ///< at the end, also for every command
};

class Program {
 public:
  Program(const ProgramText& text, std::vector<Command> commands);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Returns the exit code. Throws InputError for bad input that the parser does not detect.
  int run(int argc, char** argv);
  /// The same for a caller that is no terminal: `words` are the command and its options. Once an
  /// object. Throws InputError for all bad input.
  int call(std::vector<std::string> words, Caller& caller);

  /// Commands, options and explanations, for completions and pages.
  [[nodiscard]] Manual manual() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pimbb::terminal
