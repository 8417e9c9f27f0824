// A command of pimbb run for Python.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <vector>

namespace pimbb::python {

/// What a command returned.
struct Answer {
  int code = 0;              ///< exit code
  std::string document;      ///< JSON; empty if the command makes none
  bool interrupted = false;  ///< by Ctrl-C; the document is the best answer so far
};

/// Runs the command `words[0]` with the options behind it. `texts` stand for files of these names.
/// `on_progress` and `on_explored` are callables or None; an exception in one of them stops the
/// command and is rethrown. While the command runs, other threads of Python run too.
Answer call(std::vector<std::string> words, std::map<std::string, std::string> texts,
            const pybind11::object& on_progress, const pybind11::object& on_explored);

}  // namespace pimbb::python
