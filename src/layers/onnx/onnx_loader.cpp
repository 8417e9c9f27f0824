// Loading the module that reads ONNX models, once, at the first model.
#include <fmt/format.h>

#include "layers/onnx/onnx.hpp"
#include "layers/onnx/onnx_module.hpp"
#include "pimbb/error.hpp"
#include "run/load_module.hpp"

namespace pimbb::layers {
namespace {

const OnnxModule& open_module(const std::string& label) {
  try {
    const auto* module =
        static_cast<const OnnxModule*>(run::load_module("pimbb_onnx.so", kOnnxModuleSymbol));
    if (module->version != std::string_view(PIMBB_VERSION) || module->sizes != kExchangedSizes) {
      throw run::ModuleError("it is of another version");
    }
    return *module;
  } catch (const run::ModuleError& error) {
    throw InputError(fmt::format(
        "{}: found an ONNX model, but the module that reads it cannot be loaded: {}; install pimbb "
        "anew",
        label, error.what()));
  }
}

}  // namespace

Graph parse_onnx_graph(std::string_view bytes, const std::string& label,
                       const NetworkOptions& options) {
  static const OnnxModule& module = open_module(label);
  return module.parse(bytes, label, options);
}

}  // namespace pimbb::layers
