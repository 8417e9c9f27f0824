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

}  // namespace pimbb
