// The files of data/ as they are embedded in the library. data/meson.build lists them and
// tools/embed_presets.py writes the source that defines these two tables at build time.
#pragma once

#include <span>
#include <string_view>

namespace pimbb::io {

struct Preset {
  std::string_view name;  ///< file name without directory and ".yaml"
  std::string_view text;
};

/// Sorted by name.
std::span<const Preset> embedded_architectures();
std::span<const Preset> embedded_networks();

}  // namespace pimbb::io
