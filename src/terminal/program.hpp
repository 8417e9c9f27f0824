// A program of several commands: it parses, runs one of them, and describes itself.
#pragma once

#include <memory>
#include <vector>

#include "terminal/command.hpp"
#include "terminal/manual.hpp"

namespace pimbb::terminal {

/// What a program says of itself.
struct ProgramText {
  const char* name;
  const char* version;      ///< all that --version prints
  const char* description;  ///< above the commands in --help
  const char* beginning;    ///< below them
  const char* exit_codes;   ///< below everything, of every command as well
};

class Program {
 public:
  Program(const ProgramText& text, const std::vector<Command>& commands);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The exit code. Throws InputError on bad input that the parser does not see.
  int run(int argc, char** argv);

  /// Commands, options and explanations, for completions and pages.
  [[nodiscard]] Manual manual() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pimbb::terminal
