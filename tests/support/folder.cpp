#include "support/folder.hpp"

#include <filesystem>
#include <fstream>
#include <random>

namespace texts {

Folder::Folder() {
  std::random_device random;
  const auto base = std::filesystem::temp_directory_path();
  do {
    folder_ = base / ("pimbb-test-" + std::to_string(random()));
  } while (!std::filesystem::create_directory(folder_));
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Folder::write(std::string_view file, std::string_view text) const {
  std::ofstream(path(file), std::ios::binary) << text;
  return path(file);
}

}  // namespace texts
