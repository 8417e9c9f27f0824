// A program that runs a command in its own process and takes the result, instead of a person at a
// terminal: the Python module (src/python).
//
// A command that has a caller prints nothing, handles no signals and shows no progress; its JSON
// document, its progress and its interruption are those of this object.
#pragma once

#include <stop_token>
#include <string>

#include "pimbb/explore.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::terminal {

struct Caller {
  std::stop_token stop = {};  ///< interrupts the command, which then returns its best answer
  /// Called from the thread that solves; null: not wanted.
  std::function<void(const Progress&)> on_progress = {};
  OnExplored on_explored = {};  ///< the same, of explorations
  std::string document = {};    ///< what `--json -` prints, once the command has returned
};

}  // namespace pimbb::terminal
