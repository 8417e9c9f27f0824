// Folders of golden files under $PIMBB_SHARED, and their lines of JSON.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace golden {

using Json = nlohmann::ordered_json;

/// The folder of one kind of problem, or nothing (and a message) where PIMBB_SHARED is not set.
inline std::optional<std::filesystem::path> folder_of(const std::string& kind) {
  const char* shared = std::getenv("PIMBB_SHARED");
  if (shared != nullptr) return std::filesystem::path(shared) / "golden" / kind;
  std::cerr << "skipped: PIMBB_SHARED is not set\n";
  return std::nullopt;
}

/// All lines of a file as JSON. Throws if it is missing, empty, or a line is not JSON.
inline std::vector<Json> lines(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("no file " + file.string());
  std::vector<Json> all;
  for (std::string line; std::getline(stream, line);) all.push_back(Json::parse(line));
  if (all.empty()) throw std::runtime_error("no lines in " + file.string());
  return all;
}

}  // namespace golden
