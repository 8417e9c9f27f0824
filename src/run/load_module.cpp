// The places of a module, and dlopen.
#include "run/load_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>

namespace pimbb::run {

const void* load_module(const std::string& file, const char* symbol) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path here = fs::read_symlink("/proc/self/exe", none).parent_path();
  const std::array<fs::path, 3> places{here / file,
                                       (here / PIMBB_MODULES_FROM_BIN).lexically_normal() / file,
                                       fs::path(PIMBB_MODULES_INSTALLED) / file};
  for (const fs::path& place : places) {  // the first that exists counts
    if (!fs::exists(place, none)) continue;
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw ModuleError(dlerror());
    const void* found = dlsym(library, symbol);
    if (found == nullptr) throw ModuleError(dlerror());
    return found;
  }
  throw ModuleError(
      fmt::format("there is neither {} nor {}", places[0].string(), places[1].string()));
}

}  // namespace pimbb::run
