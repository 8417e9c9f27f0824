// Loading the module that reads ONNX models, once, at the first model.
//
// It is beside the executable in the build directory, and in the directory of libraries when
// installed. Both are found from the place of the executable, so an installed tree may be moved.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "layers/onnx/onnx.hpp"
#include "layers/onnx/onnx_module.hpp"
#include "pimbb/error.hpp"

namespace pimbb::layers {
namespace {

/// The places of the module, the first that exists counts.
std::vector<std::filesystem::path> module_places() {
  std::error_code none;
  const std::filesystem::path here =
      std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  return {here / "pimbb_onnx.so", (here / PIMBB_ONNX_FROM_BIN).lexically_normal(),
          PIMBB_ONNX_INSTALLED};
}

[[noreturn]] void refuse(const std::string& label, const std::string& why) {
  throw InputError(fmt::format(
      "{}: found an ONNX model, but the module that reads it cannot be loaded: {}; install pimbb "
      "anew",
      label, why));
}

const OnnxModule& open_module(const std::string& label) {
  const std::vector<std::filesystem::path> places = module_places();
  for (const std::filesystem::path& place : places) {
    std::error_code none;
    if (!std::filesystem::exists(place, none)) continue;
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) refuse(label, dlerror());
    const auto* module = static_cast<const OnnxModule*>(dlsym(library, kOnnxModuleSymbol));
    if (module == nullptr) refuse(label, dlerror());
    if (module->version != std::string_view(PIMBB_VERSION) || module->sizes != kExchangedSizes) {
      refuse(label, place.string() + " is of another version");
    }
    return *module;
  }
  refuse(label, fmt::format("there is neither {} nor {}", places[0].string(), places[1].string()));
}

}  // namespace

Graph parse_onnx_graph(std::string_view bytes, const std::string& label,
                       const NetworkOptions& options) {
  static const OnnxModule& module = open_module(label);
  return module.parse(bytes, label, options);
}

}  // namespace pimbb::layers
