// Errors that name the place: file, line, key, what was found and what is allowed.
#pragma once

#include <stdexcept>
#include <string>

namespace pimbb {

/// Something the user gave (a file, an option, a mapping) is not acceptable. `what()` is a complete
/// message, ready to print. The executable answers it with exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pimbb
