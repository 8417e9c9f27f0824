// The places of a module, and dlopen.
#include "run/load_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <filesystem>
#include <vector>

namespace pimbb::run {
namespace {

namespace fs = std::filesystem;

/// The directory of the file that contains this code.
fs::path own_directory() {
  std::error_code none;
  Dl_info info;
  link_map* map = nullptr;
  const auto* here = reinterpret_cast<const void*>(&own_directory);
  const bool known =
      dladdr1(here, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 && map != nullptr;
  if (known && *map->l_name != '\0') return fs::canonical(map->l_name, none).parent_path();
  return fs::read_symlink("/proc/self/exe", none).parent_path();  // the executable has no name
}

}  // namespace

const void* load_module(const std::string& file, const char* symbol) {
  const fs::path here = own_directory();
  std::vector<fs::path> places{here / file};
  for (const char* from_here : {PIMBB_MODULES_FROM_HERE}) {
    places.push_back((here / from_here).lexically_normal() / file);
  }
  places.push_back(fs::path(PIMBB_MODULES_INSTALLED) / file);
  std::error_code none;
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
