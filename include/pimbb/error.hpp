// The error for bad input. Its message names file, line and key, what was found and what is
// allowed.
#pragma once

#include <stdexcept>
#include <string>

namespace pimbb {

/// The input (a file, an option, a mapping, an argument) is not acceptable. `what()` is a complete
/// message for a person. The executable prints it and ends with exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The input is acceptable, but solving it takes more than a limit admits: more memory than the
/// memory limit, or tables larger than any that are built. Code that can do with less than a full
/// answer catches this type alone, so that mistakes in the input are always reported.
class LimitError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace pimbb
