// Reading files whole.
#include "files/source.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "pimbb/error.hpp"

namespace pimbb::files {
bool path_exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Source load_file(const std::string& path, std::size_t largest) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(path + ": found a directory, allowed are files");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path + ": the file cannot be opened: " + std::strerror(errno));
  std::string text;
  std::vector<char> chunk(std::size_t{1} << 16);
  while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) ||
         stream.gcount() > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > largest) {
      throw InputError(path + ": found more than " + std::to_string(largest >> 20) +
                       " MiB, allowed are files up to that size");
    }
  }
  if (stream.bad()) throw InputError(path + ": the file cannot be read: " + std::strerror(errno));
  return {path, std::move(text)};
}

}  // namespace pimbb::files
