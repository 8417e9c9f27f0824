// Where a text comes from: a file, or a preset embedded in the library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pimbb::files {

struct Source {
  std::string label;  ///< how messages name it
  std::string text;
};

/// Reads a whole file. Throws InputError if it is missing, a directory, unreadable or has more than
/// `largest` bytes.
Source load_file(const std::string& path, std::size_t largest = std::size_t{64} << 20);

/// Whether something of this name exists in the file system: it then wins over a preset.
bool path_exists(const std::string& path);

/// The file or the preset called `source`; throws InputError, listing the presets, if neither is.
Source load_architecture(const std::string& source);
Source load_network(const std::string& source);

/// Whether `source` is an existing path or a network preset.
bool is_network_source(const std::string& source);

}  // namespace pimbb::files
