// The files of data/ as they are embedded in the library. data/meson.build lists them and
// tools/embed_presets.py writes the source that defines these two tables at build time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pimbb::files {

struct Preset {
  std::string_view name;  ///< file name without directory and ".yaml"
  std::string_view text;
};

/// Sorted by name.
std::span<const Preset> embedded_architectures();
std::span<const Preset> embedded_networks();

std::vector<std::string> preset_names(std::span<const Preset> presets);

}  // namespace pimbb::files
