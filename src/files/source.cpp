// Reading files and looking up presets.
#include "files/source.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

#include "files/nearest.hpp"
#include "files/presets.hpp"
#include "pimbb/error.hpp"

namespace pimbb::files {
namespace {

std::vector<std::string_view> names(std::span<const Preset> presets) {
  std::vector<std::string_view> all;
  for (const Preset& preset : presets) all.push_back(preset.name);
  return all;
}

const Preset* find(std::span<const Preset> presets, std::string_view name) {
  for (const Preset& preset : presets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

Source load(const std::string& source, std::span<const Preset> presets, std::string_view what) {
  if (path_exists(source)) return load_file(source);
  if (const Preset* preset = find(presets, source)) {
    return {"preset " + source, std::string(preset->text)};
  }
  const std::vector<std::string_view> known = names(presets);
  throw InputError(source + ": found neither a file nor a preset of this name" +
                   did_you_mean(source, known) + ", allowed are " + std::string(what) +
                   " files and the presets " + join(known));
}

}  // namespace

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

Source load_architecture(const std::string& source) {
  return load(source, embedded_architectures(), "architecture");
}

Source load_network(const std::string& source) {
  return load(source, embedded_networks(), "network");
}

bool is_network_source(const std::string& source) {
  return path_exists(source) || find(embedded_networks(), source) != nullptr;
}

std::vector<std::string> preset_names(std::span<const Preset> presets) {
  const std::vector<std::string_view> all = names(presets);
  return {all.begin(), all.end()};
}

}  // namespace pimbb::files
