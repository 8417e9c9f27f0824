// Modules: shared objects that a program opens when it needs them, because a library behind them
// takes long to start or need not be installed.
//
// A module is beside the executable in the build directory, and in the directory of libraries when
// installed. Both are found from the place of the executable, or of the shared object that contains
// this code, so an installed tree may be moved. Only the executable and the Python module are
// linked with this file's functions.
#pragma once

#include <stdexcept>
#include <string>

namespace pimbb::run {

/// Why a module cannot be used.
class ModuleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The address of `symbol` in `file`, such as "pimbb_onnx.so". The module stays open. Throws
/// ModuleError.
const void* load_module(const std::string& file, const char* symbol);

}  // namespace pimbb::run
