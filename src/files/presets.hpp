// Files that are embedded in the library, by name: wherever a path is taken, such a name serves as
// well.
//
// A table holds the presets of one kind of file and belongs to the room that reads it.
// data/meson.build lists the files, tools/embed_presets.py writes the source of each table at build
// time.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/source.hpp"

namespace pimbb::files {

struct Preset {
  std::string_view name;  ///< file name without directory and ".yaml"
  std::string_view text;
};

struct PresetTable {
  std::string_view what;            ///< "architecture": how messages call the files of this kind
  std::span<const Preset> presets;  ///< sorted by name

  [[nodiscard]] const Preset* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  /// Whether `source` is an existing path or one of these presets.
  [[nodiscard]] bool is_source(const std::string& source) const;
  /// The file or the preset called `source`; throws InputError, listing the presets, if neither is.
  [[nodiscard]] Source load(const std::string& source) const;
};

}  // namespace pimbb::files
